import type { Command } from "commander";
import { listApiKeys, revokeApiKey, type ListedKey } from "../people/api-keys/api-key-queries.ts";
import { capabilities } from "../people/api-keys/capability.ts";
import { createApiKey, keyCreatedMails } from "../people/api-keys/create-api-key.ts";
import {
  keyFields,
  parseAllowedNetworks,
  parseCapabilities,
  parseExpiry,
  parseRate,
} from "../people/api-keys/key-specification.ts";
import { isoOrNull } from "../platform/dates.ts";
import { Refusal } from "../platform/refusal.ts";
import { checkedValues, idArgument, runsFor, type TenantWork } from "./arguments.ts";
import type { Invocation } from "./run-command.ts";
import { table } from "./table.ts";

/** `key create`, `key revoke`, `key list` (docs/operations.md 3.2). */
export function registerKey(program: Command): void {
  const key = program.command("key").description("Create, revoke and list API keys.");
  const create = key
    .command("create")
    .description("Create an API key. Its token is shown only once; Liaison stores its hash.")
    .requiredOption("--name <name>", "what the key is for")
    .requiredOption("--capabilities <list>", `what it may do, comma-separated: ${capabilities.join(", ")}`)
    .option("--expires <time>", "when the key expires, as ISO 8601 (default: never)")
    .option(
      "--allow-ip <networks>",
      "the CIDRs from which the key may be used, comma-separated (default: from anywhere)",
    )
    .option("--rate <number>", "requests per minute, 0 for no limit (default: LIAISON_RATE_LIMIT)")
    .option("--confirm-on-page", "what an assistant destroys or sends with it waits for a user (docs/agents.md)");
  runsFor(create, createKey);
  const revoke = key
    .command("revoke")
    .description("Revoke an API key, at once and for good.")
    .argument("<id>", "the key's id, as `key list` shows it");
  runsFor(revoke, revokeKey);
  const list = key.command("list").description("List a tenant's API keys.");
  runsFor(list, listKeys);
}

const createKey: TenantWork = async (deps, tenant, { options }) => {
  const { name } = checkedValues(keyFields, options);
  const specification = {
    name: String(name),
    capabilities: parseCapabilities(String(options.capabilities)),
    expiresAt: parsed(options.expires, parseExpiry) ?? null,
    allowIp: parsed(options.allowIp, parseAllowedNetworks) ?? [],
    rate: parsed(options.rate, parseRate) ?? null,
    confirmsOnPage: options.confirmOnPage === true,
  };
  const mails = keyCreatedMails(deps, tenant.id, specification.name, "command");
  const key = await createApiKey(tenant.id, deps.database, tenant.slug, specification, null, mails);
  return {
    json: { id: key.id, token: key.token, capabilities: key.capabilities, expires_at: isoOrNull(key.expiresAt) },
    text: `Created the key ${key.id}. Its token, shown only now:\n${key.token}`,
  };
};

const revokeKey: TenantWork = async (deps, tenant, { operands }) => {
  const id = idArgument("a key", operands[0]);
  const key = await revokeApiKey(tenant.id, deps.database, id, "command");
  if (key === null) throw new Refusal(`The tenant "${tenant.slug}" has no key ${id}.`);
  return { json: apiKeyJson(key), text: `The key ${id} is revoked.` };
};

const listKeys: TenantWork = async (deps, tenant) => {
  const keys = (await listApiKeys(tenant.id, deps.database)).map(apiKeyJson);
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.prefix}...${key.last4}`,
    key.capabilities.join(","),
    key.expires_at,
    key.last_used_at,
    key.revoked_at,
  ]);
  return {
    json: keys,
    text: table(["id", "name", "key", "capabilities", "expires at", "last used at", "revoked at"], rows),
  };
};

function parsed<T>(option: Invocation["options"][string], parse: (text: string) => T): T | undefined {
  return option === undefined ? undefined : parse(String(option));
}

/** A key as the command line lists it (docs/operations.md 3.2): never the secret, nor its hash. */
function apiKeyJson({ id, name, prefix, last4, capabilities, allowIp, rate, ...times }: ListedKey) {
  return {
    id,
    name,
    prefix,
    last4,
    capabilities,
    expires_at: isoOrNull(times.expiresAt),
    allow_ip: allowIp,
    rate,
    last_used_at: isoOrNull(times.lastUsedAt),
    revoked_at: isoOrNull(times.revokedAt),
  };
}
