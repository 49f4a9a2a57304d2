import { randomBytes } from "node:crypto";

/** The trace that a request is a part of, as W3C Trace Context has it: all that its members log can be brought together by its id. */
export type Trace = {
  /** 32 hexadecimal digits. */ id: string;
  /** Two: whether it is recorded, and whether its id is random. */ flags: string;
};

const HEADER = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/;
/** The flags that are known: whoever passes a trace on sets the others to zero. */
const KNOWN_FLAGS = 0b11;

/** The trace of a `traceparent` header; null where there is none, or none that is well-formed: then it counts as not sent. */
export function parseTraceparent(header: string | string[] | undefined): Trace | null {
  const [, version, id, flags, rest] = typeof header === "string" ? (HEADER.exec(header) ?? []) : [];
  // Versions to come may have more behind it.
  if (id === undefined || flags === undefined || (version === "00" && rest !== undefined)) return null;
  return { id, flags: (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, "0") };
}

/** The header that passes a trace on, where there is one. */
export function passedOn(trace: Trace | null): string | null {
  return trace === null ? null : traceparent(trace);
}

/** The header that passes a trace on, or answers with it: under an id of its own for what is done here. */
export function traceparent({ id, flags }: Trace): string {
  return `00-${id}-${randomBytes(8).toString("hex")}-${flags}`;
}
