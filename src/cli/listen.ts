import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { followedApi } from "../exchange/webhooks/listening/followed-api.ts";
import { forwardFeed } from "../exchange/webhooks/listening/forward-feed.ts";
import { generateSecret, isSecret } from "../exchange/webhooks/signature.ts";
import type { Config } from "../kit/config.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import { runsAlone, type Invocation, type Output } from "./run-command.ts";

const LOCAL_SERVER = "http://127.0.0.1:3000";

/** `listen` (docs/operations.md 3.2): a client of the API, without a database. */
export function registerListen(program: Command): void {
  const command = program
    .command("listen")
    .description("Forward what webhooks would send to a local address, until Ctrl+C. Follows the feed of a server.")
    .requiredOption("--key <file>", "a file with the token of an API key that has changes:read")
    .requiredOption("--forward <url>", "the address that gets the messages")
    .option("--url <url>", "the server", LOCAL_SERVER)
    .option("--secret <file>", "a file with the secret that signs (default: a new one, which is printed)")
    .option("--after <cursor>", "where to start in the feed (default: at its end)")
    .option("--full", "send each resource too, as a webhook with the body `full`")
    .option(
      "--children",
      "send contacts and addresses hidden or shown with their company, as a webhook with `children`",
    );
  runsAlone(command, async (config, _logger, invocation) => await forwardChanges(config, invocation));
}

async function forwardChanges({ wms }: Config, { options, signal }: Invocation): Promise<Output> {
  // With --json, standard output is for the one document.
  const say = (line: string) => (options.json === true ? console.error(line) : console.log(line));
  const warn = (line: string) => console.error(line);
  const token = await lineOf("--key", options.key);
  const [server, forward] = [httpUrl("--url", options.url), httpUrl("--forward", options.forward)];
  const secret = options.secret === undefined ? generateSecret() : await lineOf("--secret", options.secret);
  if (!isSecret(secret)) throw new Refusal("The file of --secret has no secret: whsec_ and base64.");
  if (options.secret === undefined) say(`The messages are signed with the secret ${secret}`);
  const [isFull, hasChildren] = [options.full === true, options.children === true];
  const api = followedApi({ server, token, isFull, hasChildren }, signal, warn);
  const after = typeof options.after === "string" ? options.after : await api.end();
  say(`Forwarding changes to ${forward.href}. Ctrl+C stops it.`);
  const { finalStatuses } = wms;
  const listening = { api, forward, secret, finalStatuses, stop: signal, say, warn };
  const { cursor, forwarded } = await forwardFeed(listening, after);
  return { json: { forwarded, cursor }, text: `Stopped. Continue with --after ${cursor}` };
}

/** The text of a file that an option names. Throws Refusal for an empty one. */
async function lineOf(option: string, file: unknown): Promise<string> {
  const text = trim(await readFile(String(file), "utf8"));
  if (text === "") throw new Refusal(`The file of ${option} is empty.`);
  return text;
}

/** Throws Refusal for a text that is no address. */
function httpUrl(option: string, value: unknown): URL {
  const url = URL.parse(String(value));
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new Refusal(`${option} is no http or https address.`);
  return url;
}
