import type { Deps } from "../../kit/deps.ts";
import type { MailDetails } from "../../kit/mail/mail-kind.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Tenant } from "../tenants/tenant-queries.ts";
import { insertApiKey, replaceApiKey, type NewApiKey } from "./api-key-queries.ts";
import type { Capability } from "./capability.ts";
import { generateKey, hashKey } from "./key-format.ts";

export type KeySpecification = {
  name: string;
  capabilities: Capability[];
  /** RFC 3339; null: never. */
  expiresAt: string | null;
  /** CIDRs; empty: from anywhere. */
  allowIp: string[];
  /** Requests per minute; null: the installation's own limit. */
  rate: number | null;
  /** Whether a person confirms on the page what an assistant destroys or sends with it (docs/agents.md). */
  confirmsOnPage?: boolean;
};

const PREFIX_LENGTH = 8;
const LAST_LENGTH = 4;

/**
 * Creates a key and returns its token, which nobody will see again: only its hash is stored (docs/contract.md 2.3).
 * @param createdBy the user who makes it
 * @param alongside committed with it
 */
export async function createApiKey(
  tenant: TenantId,
  database: Database,
  slug: Tenant["slug"],
  specification: KeySpecification,
  createdBy: string | null = null,
  alongside: readonly Call[] = [],
): Promise<{ id: number; token: string; capabilities: string[]; expiresAt: string | null }> {
  const { key, row } = generated(specification, createdBy, alongside);
  const created = await insertApiKey(tenant, database, row);
  return { id: created.id, token: `${slug}.${key}`, capabilities: row.capabilities, expiresAt: created.expiresAt };
}

/**
 * Creates the successor of a key, once, and returns its token.
 * @param createdBy the user who makes it
 * @param alongside committed with it
 * @returns null if the key has a successor already, or does not work any more
 */
export async function createSuccessor(
  tenant: TenantId,
  database: Database,
  slug: Tenant["slug"],
  replaced: { id: string; by: string },
  specification: KeySpecification,
  createdBy: string,
  alongside: readonly Call[],
): Promise<string | null> {
  const { key, row } = generated(specification, createdBy, alongside);
  return (await replaceApiKey(tenant, database, replaced, row)) ? `${slug}.${key}` : null;
}

function generated(
  { confirmsOnPage = false, ...specification }: KeySpecification,
  createdBy: string | null,
  alongside: readonly Call[],
): { key: string; row: NewApiKey } {
  const key = generateKey();
  const [prefix, last4] = [key.slice(0, PREFIX_LENGTH), key.slice(-LAST_LENGTH)];
  return { key, row: { ...specification, hash: hashKey(key), prefix, last4, confirmsOnPage, createdBy, alongside } };
}

/** The calls that notify all admins of a new key. */
export function keyCreatedMails(
  deps: Pick<Deps, "config" | "keyring">,
  tenant: TenantId,
  name: string,
  by: MailDetails["key-created"]["by"],
): Call[] {
  return mailing(deps, tenant, "admins", { kind: "key-created", details: { at: now(), name, by } });
}
