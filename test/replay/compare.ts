import fs from "node:fs";
import { decided } from "./decided.ts";
import { differencesOf, type Difference } from "./differences.ts";
import { recorderOf, type Recorded } from "./recorder.ts";
import { sendAll } from "./requests.ts";
import { newDirectory, serveCheckout } from "./stage.ts";

/** `open`: the differences that no decision made. */
export type Comparison = { requests: number; open: Difference[]; decided: number };

const SHOWN = 3;
const EXCERPT = 300;

/** Sends the same requests to two checkouts, each with an installation of its own. */
export async function compare(one: string, other: string): Promise<Comparison> {
  const before = await recordsOf(one);
  const differences = differencesOf(before, await recordsOf(other));
  const open = differences.filter(({ kind, before: { request } }) => !decided.some((each) => each.fits(kind, request)));
  return { requests: before.length, open, decided: differences.length - open.length };
}

/** A difference for people: its first requests, and the answers to the first. */
export function described({ kind, requests, before, after }: Difference): string {
  const answers = [["before", before] as const, ["after", after] as const].map(
    ([name, { status, headers, body }]) =>
      `  ${name}: ${status} ${JSON.stringify(headers)}\n    ${body.slice(0, EXCERPT)}`,
  );
  const shown = requests.slice(0, SHOWN).map((request) => `  ${request.slice(0, EXCERPT)}`);
  return [`${requests.length} times: ${kind}`, ...shown, ...answers].join("\n");
}

async function recordsOf(checkout: string): Promise<Recorded[]> {
  const directory = newDirectory();
  try {
    const stage = await serveCheckout(checkout, directory);
    const { send, records } = recorderOf(stage);
    await sendAll(send);
    await stage.end();
    return records;
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}
