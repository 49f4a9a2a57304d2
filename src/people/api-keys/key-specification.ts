import { now } from "../../platform/clock.ts";
import { parseDate, parseTimestamp } from "../../platform/dates.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import { parseNetworks } from "../../platform/network.ts";
import { Refusal } from "../../platform/refusal.ts";
import { trim } from "../../platform/text.ts";
import { capabilities, isCapability, type Capability } from "./capability.ts";

export const keyFields: FieldTable = [{ name: "name", kind: "string", max: 255, required: true }];

/** Each request of a key is compared with all of its networks. */
const MOST_NETWORKS = 1_000;
/** The largest rate that is stored. */
const RATE_MAX = 2_147_483_647;

/** Comma-separated capabilities, each once. Throws Refusal for none and for an unknown one. */
export function parseCapabilities(text: string): Capability[] {
  const named = [...new Set(partsOf(text))];
  const unknown = named.find((name) => !isCapability(name));
  if (unknown !== undefined || named.length === 0) {
    const complaint = unknown === undefined ? "A key needs a capability" : `There is no capability "${unknown}"`;
    throw new Refusal(`${complaint}: choose from ${capabilities.join(", ")}.`);
  }
  return named.filter(isCapability);
}

/**
 * A key's expiry as RFC 3339. A date alone is its first moment, a time without a zone is UTC. Throws Refusal for any
 * other text, and for the past.
 */
export function parseExpiry(text: string): string {
  const trimmed = trim(text);
  const date = parseDate(trimmed);
  const moment = parseTimestamp(trimmed) ?? (date === null ? null : `${date}T00:00:00Z`);
  if (moment === null) {
    throw new Refusal(`"${trimmed}" is not a date or an ISO 8601 time, such as 2027-01-31 or 2027-01-31T12:00:00Z.`);
  }
  const normalized = moment.replace(" ", "T").toUpperCase();
  if (Date.parse(normalized) <= now()) throw new Refusal(`The expiry ${trimmed} is in the past.`);
  return normalized;
}

/** Parses comma-separated networks that a key may be used from. Throws Refusal for none, too many or invalid ones. */
export function parseAllowedNetworks(text: string): string[] {
  const networks = partsOf(text);
  // An empty list would mean "from anywhere", which nobody asks for by naming networks.
  if (networks.length === 0) throw new Refusal("The list of allowed networks is empty.");
  if (networks.length > MOST_NETWORKS) throw new Refusal(`A key may have ${MOST_NETWORKS} allowed networks at most.`);
  try {
    parseNetworks(networks.join(","));
  } catch (error) {
    throw new Refusal(`${(error as Error).message}.`);
  }
  return networks;
}

/** Requests per minute; 0 is no limit. Throws Refusal for any other text. */
export function parseRate(text: string): number {
  const trimmed = trim(text);
  if (!/^\d{1,10}$/.test(trimmed) || Number(trimmed) > RATE_MAX) {
    throw new Refusal(`The rate "${trimmed}" is not a whole number from 0 to ${RATE_MAX}.`);
  }
  return Number(trimmed);
}

function partsOf(text: string): string[] {
  return text
    .split(",")
    .map(trim)
    .filter((part) => part !== "");
}
