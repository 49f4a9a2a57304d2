import type { IncomingHttpHeaders } from "node:http";

/** The beginning of a receiver's answer to a failed delivery, for its page. */
export type ReceiverAnswer = { headers: [string, string][]; body: string };

/** Bytes of an answer's body that are read and stored. */
export const ANSWER_BYTES = 2 * 1024;
const MOST_HEADERS = 20;
const LONGEST_VALUE = 200;
/** Cookies can sign somebody in at the receiver. */
const LEFT_OUT = new Set(["set-cookie"]);

export function receiverAnswer(headers: IncomingHttpHeaders, body: Buffer): ReceiverAnswer {
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || LEFT_OUT.has(name) ? [] : [[name, String(value).slice(0, LONGEST_VALUE)]],
  );
  return { headers: named.slice(0, MOST_HEADERS), body: legible(body.toString("utf8")) };
}

/** PostgreSQL stores no NUL, and a page shows no control characters. */
function legible(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}
