import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import { parseSubdomain } from "../../../kit/warehouse/instance-url.ts";
import type { WarehouseFailure } from "../../../kit/warehouse/warehouse-client.ts";
import { fieldTable } from "../../../platform/fields/fields.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { trim } from "../../../platform/text.ts";
import { reach } from "../following/follow-orders.ts";
import { keyColumn, reachStored } from "../reached-warehouse.ts";
import { findWorkspaceConnection } from "../workspace-warehouse-queries.ts";
import { findConnection, leaveConnection, saveConnection, type NewConnection } from "./connection-queries.ts";
import { saveWorkspaceConnection } from "./workspace-connection-queries.ts";

/** A stored connection as a person may see it: of the key its last four characters. */
export type WarehouseConnection = {
  subdomain: string | null;
  /** Null: there is no key. */
  keyEnd: string | null;
  keySetAt: string | null;
  keySetBy: string | null;
  /** When the warehouse last refused the key; null since a call worked. */
  keyRefusedAt: string | null;
  sendsAutomatically: boolean;
};

/** A company's own connection, and which one applies to it. */
export type CompanyConnection = WarehouseConnection & {
  companyName: string;
  /** Whether a connection applies to the company: its own or the workspace's. */
  isConnected: boolean;
  usesWorkspaces: boolean;
  isNever: boolean;
  /** The person to ask at its own warehouse, with a phone number. */
  contact: string | null;
  /** The workspace's, if there is one. */
  workspaces: WarehouseConnection | null;
  sendable: number;
};

/** The field of the person to ask at the workspace's warehouse. */
export const warehouseContactFields = fieldTable([{ name: "warehouse_contact", kind: "string", max: 100 }]);

const KEY_END = 4;
/** A shorter key would be shown by half. */
const SHOWN_FROM = 12;
const KEY_MAX = 4_096;

/** Null if there is no such company. */
export async function readConnection(deps: Deps, actor: Actor, companyId: string): Promise<CompanyConnection | null> {
  const [stored, workspaces] = await Promise.all([
    findConnection(actor.tenant, deps.database, companyId),
    readWorkspaceConnection(deps, actor),
  ]);
  if (stored === null) return null;
  const { key, ...others } = stored;
  return { ...others, workspaces, keyEnd: keyEnd(deps, actor, companyId, key) };
}

/** Null if the workspace has no connection of its own. */
export async function readWorkspaceConnection(deps: Deps, actor: Actor): Promise<WarehouseConnection | null> {
  const stored = await findWorkspaceConnection(actor.tenant, deps.database);
  if (stored === null || stored.key === null) return null;
  const { key, asOf: _, ...others } = stored;
  return { ...others, keyEnd: keyEnd(deps, actor, null, key) };
}

function keyEnd({ keyring }: Deps, { tenant }: Actor, companyId: string | null, key: string | null): string | null {
  const clear = key === null ? null : keyring.reveal(tenant, keyColumn(companyId), key);
  return key === null ? null : clear !== null && clear.length >= SHOWN_FROM ? clear.slice(-KEY_END) : "";
}

export type ConnectionInput = { subdomain: string; key: string; sendsAutomatically: boolean };

/** A fault of an input. `other-key`: it has no key, and the stored one is of another subdomain. */
export type ConnectionProblem = "subdomain" | "key" | "other-key";

export type ConnectionWritten =
  | { outcome: "saved" | "missing" }
  | { outcome: "invalid"; problems: readonly ConnectionProblem[] };

/** Writes a company's own connection; an empty key keeps the stored one, as long as the subdomain stays. */
export async function writeConnection(
  deps: Deps,
  actor: Actor,
  companyId: string,
  input: ConnectionInput,
): Promise<ConnectionWritten> {
  const { tenant } = actor;
  const stored = await findConnection(tenant, deps.database, companyId);
  if (stored === null) return { outcome: "missing" };
  const checked = checkedInput(deps, actor, companyId, { input, hasKey: stored.key !== null });
  if ("problems" in checked) return { outcome: "invalid", ...checked };
  if (await saveConnection(tenant, deps.database, companyId, checked)) return { outcome: "saved" };
  return checked.key === null ? { outcome: "invalid", problems: ["other-key"] } : { outcome: "missing" };
}

/**
 * Gives companies the same connection as their own, each with a ciphertext of the key, and returns how many there were.
 * Each company is a transaction, so another change of one waits for that one alone.
 */
export async function writeConnections(
  deps: Deps,
  actor: Actor,
  ids: readonly string[],
  input: ConnectionInput,
): Promise<{ connected: number } | { problems: readonly ConnectionProblem[] }> {
  let connected = 0;
  for (const id of ids) {
    const checked = checkedInput(deps, actor, id, { input, hasKey: false });
    if ("problems" in checked) return checked;
    if (await saveConnection(actor.tenant, deps.database, id, checked)) connected += 1;
  }
  return { connected };
}

/**
 * Writes the workspace's connection; an empty key keeps the stored one, as long as the subdomain stays. `moved`: it is
 * with another subdomain than the person saw.
 * @param replaced the subdomain that the person saw; null: there was none
 */
export async function writeWorkspaceConnection(
  deps: Deps,
  actor: Actor,
  input: ConnectionInput,
  replaced: string | null,
): Promise<{ outcome: "saved" | "moved" } | { outcome: "invalid"; problems: readonly ConnectionProblem[] }> {
  const stored = await findWorkspaceConnection(actor.tenant, deps.database);
  const hasKey = stored !== null && stored.key !== null;
  if ((stored?.subdomain ?? null) !== replaced) return { outcome: "moved" };
  const checked = checkedInput(deps, actor, null, { input, hasKey });
  if ("problems" in checked) return { outcome: "invalid", ...checked };
  if (await saveWorkspaceConnection(actor.tenant, deps.database, checked, replaced)) return { outcome: "saved" };
  return checked.key === null ? { outcome: "invalid", problems: ["other-key"] } : { outcome: "moved" };
}

/** The connection to store, or what is wrong with the input. @param companyId null: the workspace's */
function checkedInput(
  { keyring, warehouse }: Deps,
  actor: Actor,
  companyId: string | null,
  { input, hasKey }: { input: ConnectionInput; hasKey: boolean },
): NewConnection | { problems: readonly ConnectionProblem[] } {
  const subdomain = parseSubdomain(input.subdomain);
  const key = trim(input.key);
  const isKeyRight = key === "" ? hasKey : /^[\x21-\x7e]+$/.test(key) && key.length <= KEY_MAX;
  if (subdomain === null || !isKeyRight) {
    const problems = [...(subdomain === null ? ["subdomain" as const] : []), ...(isKeyRight ? [] : ["key" as const])];
    return { problems };
  }
  const encrypted = key === "" ? null : keyring.encrypt(actor.tenant, keyColumn(companyId), key);
  const instance = warehouse?.instanceOf(subdomain) ?? null;
  return { subdomain, instance, key: encrypted, sendsAutomatically: input.sendsAutomatically, by: changedBy(actor) };
}

/** Ends a company's own connection: the workspace's applies from then on, or with `isNever` none. */
export async function endConnection(
  { database, warehouse }: Deps,
  actor: Actor,
  companyId: string,
  isNever: boolean,
): Promise<void> {
  const instanceOf = (subdomain: string) => warehouse?.instanceOf(subdomain) ?? null;
  await leaveConnection(actor.tenant, database, companyId, { isNever, by: changedBy(actor), instanceOf });
}

/** The outcome of a test. `unconnected`: there is nothing to ask. */
type ConnectionTested = { outcome: "reached" | "unconnected" } | WarehouseFailure;

/** Checks whether the warehouse of a company's connection answers and accepts the key. */
export async function testConnection(deps: Deps, { tenant }: Actor, companyId: string): Promise<ConnectionTested> {
  const reached = deps.warehouse === null ? null : await reach(deps, deps.warehouse, tenant, companyId);
  if (reached === null) return { outcome: "unconnected" };
  return await reached.warehouse.ping(reached.access);
}

/** The same for the workspace's connection. */
export async function testWorkspaceConnection(deps: Deps, { tenant }: Actor): Promise<ConnectionTested> {
  const stored = await findWorkspaceConnection(tenant, deps.database);
  if (stored === null || deps.warehouse === null) return { outcome: "unconnected" };
  const { subdomain, key, keyRefusedAt } = stored;
  const connection = {
    connectedCompany: null,
    isWorkspaces: true,
    subdomain,
    key,
    isKeyRefused: keyRefusedAt !== null,
  };
  const reached = reachStored(deps, deps.warehouse, tenant, connection);
  if (reached === null) return { outcome: "unconnected" };
  return await reached.warehouse.ping(reached.access);
}
