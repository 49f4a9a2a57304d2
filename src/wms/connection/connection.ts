import type { Actor } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { trim } from "../../platform/text.ts";
import { parseSubdomain } from "../../warehouse/instance-url.ts";
import type { WarehouseFailure } from "../../warehouse/warehouse-client.ts";
import { reach } from "../following/follow-orders.ts";
import { findConnection, saveConnection } from "./connection-queries.ts";

/** A company's connection to its warehouse, as a person may see it: of the key its last four characters. */
export type WarehouseConnection = {
  companyName: string;
  subdomain: string | null;
  /** Null: there is no key. */
  keyEnd: string | null;
  isConnected: boolean;
  keySetAt: string | null;
  keySetBy: string | null;
  /** When the warehouse last refused the key; null since a call worked. */
  keyRefusedAt: string | null;
  sendsAutomatically: boolean;
  sendable: number;
};

const KEY_END = 4;
/** A shorter key would be shown by half. */
const SHOWN_FROM = 12;
const KEY_MAX = 4_096;

/** Null where there is no such company. */
export async function readConnection(
  { database, keyring }: Deps,
  { tenant }: Actor,
  companyId: string,
): Promise<WarehouseConnection | null> {
  const stored = await findConnection(tenant, database, companyId);
  if (stored === null) return null;
  const { key, ...others } = stored;
  const clear = key === null ? null : keyring.reveal(tenant, "companies.wms_api_key", key);
  const keyEnd = key === null ? null : clear !== null && clear.length >= SHOWN_FROM ? clear.slice(-KEY_END) : "";
  return { ...others, keyEnd };
}

export type ConnectionInput = { subdomain: string; key: string; sendsAutomatically: boolean };

/** A fault of an input. `other-key`: it has no key, and the stored one is of another subdomain. */
export type ConnectionProblem = "subdomain" | "key" | "other-key";

export type ConnectionWritten =
  | { outcome: "saved" | "missing" }
  | { outcome: "invalid"; problems: readonly ConnectionProblem[] };

/** Writes a connection; an empty key keeps the stored one, as long as the subdomain stays. */
export async function writeConnection(
  { database, keyring, warehouse }: Deps,
  actor: Actor,
  companyId: string,
  input: ConnectionInput,
): Promise<ConnectionWritten> {
  const { tenant } = actor;
  const stored = await findConnection(tenant, database, companyId);
  if (stored === null) return { outcome: "missing" };
  const subdomain = parseSubdomain(input.subdomain);
  const key = trim(input.key);
  const isKeyRight = key === "" ? stored.key !== null : /^[\x21-\x7e]+$/.test(key) && key.length <= KEY_MAX;
  if (subdomain === null || !isKeyRight) {
    const problems = [...(subdomain === null ? ["subdomain" as const] : []), ...(isKeyRight ? [] : ["key" as const])];
    return { outcome: "invalid", problems };
  }
  const encrypted = key === "" ? null : keyring.encrypt(tenant, "companies.wms_api_key", key);
  const { sendsAutomatically } = input;
  const instance = warehouse?.instanceOf(subdomain) ?? null;
  const connection = { subdomain, instance, key: encrypted, sendsAutomatically, by: changedBy(actor) };
  if (await saveConnection(tenant, database, companyId, connection)) return { outcome: "saved" };
  return key === "" ? { outcome: "invalid", problems: ["other-key"] } : { outcome: "missing" };
}

/** Asks the warehouse whether it is there and takes the key. `unconnected`: there is nothing to ask. */
export async function testConnection(
  deps: Deps,
  { tenant }: Actor,
  companyId: string,
): Promise<{ outcome: "reached" | "unconnected" } | WarehouseFailure> {
  const reached = deps.warehouse === null ? null : await reach(deps, deps.warehouse, tenant, companyId);
  if (reached === null) return { outcome: "unconnected" };
  return await reached.warehouse.ping(reached.access);
}
