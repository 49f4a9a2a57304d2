import { randomBytes } from "node:crypto";

/** The trace of a request by W3C Trace Context: its id links the logs of all participants. */
export type Trace = {
  /** 32 hexadecimal digits. */ id: string;
  /** Two: whether it is recorded, and whether its id is random. */ flags: string;
};

const HEADER = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/;
/** The known flags; a service that passes a trace on sets all others to zero. */
const KNOWN_FLAGS = 0b11;

/** The trace of a `traceparent` header; null if it is missing or malformed, which counts as missing. */
export function parseTraceparent(header: string | string[] | undefined): Trace | null {
  const [, version, id, flags, rest] = typeof header === "string" ? (HEADER.exec(header) ?? []) : [];
  // Later versions may append further fields.
  if (id === undefined || flags === undefined || (version === "00" && rest !== undefined)) return null;
  return { id, flags: (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, "0") };
}

/** The header that passes a trace on, if there is one. */
export function passedOn(trace: Trace | null): string | null {
  return trace === null ? null : traceparent(trace);
}

/** The header that passes a trace on, or returns it, with a new id for the work here. */
export function traceparent({ id, flags }: Trace): string {
  return `00-${id}-${randomBytes(8).toString("hex")}-${flags}`;
}
