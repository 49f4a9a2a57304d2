import type { ServerResponse } from "node:http";
import type { Answer } from "./contract.ts";
import type { Dice } from "./faults.ts";

const OVERSIZE = 2 * 1024 * 1024;
const DRIP_MS = 100;
const BREAKDOWNS = [500, 502, 503, 504];

/** What a client gets of an answer: whole, or as the dice damage it. */
export function send(response: ServerResponse, answer: Answer, dice: Dice): void {
  const text = damagedText(answer, dice);
  const length = Buffer.byteLength(text);
  response.writeHead(answer.status, {
    ...answer.headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": length,
  });
  const struck = dice.strikes("cut-half", "drip");
  if (struck === "cut-half") return cutWithin(response, text);
  if (struck === "drip") return drip(response, text);
  response.end(text);
}

export function breakdown(dice: Dice): Answer {
  const status = BREAKDOWNS[Math.floor(dice.number("breakdown") * BREAKDOWNS.length)] ?? 500;
  return { status, body: { error: "The warehouse is in trouble." } };
}

/** With Retry-After in either form. */
export function throttle(status: number, dice: Dice, now: number, seconds: number): Answer {
  const isDate = dice.number("date") < 0.5;
  // A date has no fractions: it is rounded up, so as to be no shorter.
  const date = new Date(Math.ceil(now / 1_000) * 1_000 + seconds * 1_000).toUTCString();
  return { status, headers: { "retry-after": isDate ? date : String(seconds) }, body: { error: "Too many requests." } };
}

function damagedText(answer: Answer, dice: Dice): string {
  if (dice.strikes("broken-json") !== null) return JSON.stringify(answer.body).slice(0, -3);
  if (dice.strikes("oversized") !== null) {
    return JSON.stringify({ ...(answer.body as object), padding: "x".repeat(OVERSIZE) });
  }
  const replacement = dice.strikes("wrong-pair", "invalid-id");
  if (replacement === null) return JSON.stringify(answer.body);
  const invalid = [0, -1, 1.5, "x", null][Math.floor(dice.number("invalid") * 5)];
  return JSON.stringify(answer.body, (member, value: unknown) => {
    if (replacement === "invalid-id" && member === "order_id") return invalid;
    return replacement === "wrong-pair" && member === "external_order_id" ? `${String(value)}0` : value;
  });
}

function cutWithin(response: ServerResponse, text: string): void {
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

function drip(response: ServerResponse, text: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(text.charAt(sent++));
    if (sent < text.length) return;
    clearInterval(timer);
    response.end();
  }, DRIP_MS);
  response.on("close", () => clearInterval(timer));
}
