import assert from "node:assert/strict";
import { sendRaw } from "../../wire.ts";

/** A command of a page's console, and what the page prints below it. */
export type Example = { command: string; printed: string };

/**
 * The examples of the ```console blocks of a page, in their order. A command goes on behind a backslash, and until its
 * quotation marks are closed.
 */
export function examplesOf(page: string): Example[] {
  return [...page.matchAll(/^```console\n([^]*?)^```/gm)].flatMap(([, block = ""]) =>
    [...block.matchAll(/^\$ ((?:\\\n|'[^']*'|"[^"]*"|[^'"\n])+)\n([^]*?)(?=^\$ |$(?![^]))/gm)].map(
      ([, command = "", printed = ""]) => ({ command: command.replaceAll("\\\n", ""), printed: printed.trimEnd() }),
    ),
  );
}

/** Sends what a command line would send by curl, and answers what curl would print. `api` is curl with the token. */
export async function runCommand(command: string, variables: Record<string, string>): Promise<string> {
  const [program = "", ...words] = wordsOf(command, variables);
  assert.ok(program === "api" || program === "curl", `${program} is none of the page's programs`);
  const curl = optionsOf(words);
  const url = new URL(curl.url);
  const body = Buffer.from(curl.body ?? "");
  const headers = [
    ...(program === "api" ? [`Authorization: Bearer ${variables.TOKEN}`] : []),
    ...(curl.body === null ? [] : [`Content-Length: ${body.length}`]),
    ...curl.headers,
  ];
  const method = curl.method ?? (curl.body === null ? "GET" : "POST");
  const head = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Connection: close",
    ...headers,
  ];
  const answer = await sendRaw(url.href, `${head.join("\r\n")}\r\n\r\n`, body);
  return [
    ...(curl.showsHead ? [`${answer.head.replaceAll("\r", "")}\n\n`] : []),
    ...(curl.showsBody ? [answer.body] : []),
    curl.format
      .replaceAll("%{http_code}", String(answer.status))
      .replaceAll(/%header\{([\w-]+)\}/g, (_, name: string) => answer.headers.get(name) ?? ""),
  ].join("");
}

/** The words of a command line as a shell has them: with quotation marks, and variables but in single ones. */
export function wordsOf(command: string, variables: Record<string, string>): string[] {
  const substituted = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      assert.ok(variables[name] !== undefined, `$${name} is not set`);
      return variables[name];
    });
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    [...word.matchAll(/'([^']*)'|"([^"]*)"|[^'"]+/g)]
      .map(([bare, single, double]) => single ?? substituted(double ?? bare))
      .join(""),
  );
}

function optionsOf(words: string[]) {
  const curl = {
    url: "",
    method: null as string | null,
    body: null as string | null,
    headers: [] as string[],
    showsHead: false,
    showsBody: true,
    format: "",
  };
  const options: Record<string, (value: string) => void> = {
    "-X": (value) => (curl.method = value),
    "-d": (value) => (curl.body = value),
    "-H": (value) => curl.headers.push(value),
    "-D": () => (curl.showsHead = true),
    "-o": () => (curl.showsBody = false),
    "-w": (value) => (curl.format = value),
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const option = options[word];
    if (option !== undefined) option(words[(at += 1)] ?? "");
    else if (word === "-i") curl.showsHead = true;
    else if (!word.startsWith("-")) curl.url = word;
    else assert.equal(word, "-s", "an option that this curl does not know");
  }
  return curl;
}
