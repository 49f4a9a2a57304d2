import type { Actor } from "../../kit/actor.ts";
import { childEventMeanings } from "../../kit/changes/change.ts";
import type { Store } from "../../kit/deps.ts";
import { draftOf, storable } from "../../platform/fields/draft.ts";
import type { FieldErrors, FieldReason } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import type { Values } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { numberChanges } from "../feed/number-changes.ts";
import { withReplaced, type StoredSecrets } from "./secrets.ts";
import { generateSecret } from "./signature.ts";
import { isFull, SECRET, webhookColumns } from "./webhook-json.ts";
import { changeWebhook, findWebhook, insertWebhook, replaceSecret } from "./webhook-queries.ts";
import { typesOf, webhook } from "./webhook.ts";

const TYPES = webhookColumns.findIndex(({ name }) => name === "types");

const CHILDREN = webhookColumns.findIndex(({ name }) => name === "children");

/** `row` is in the format of webhookJson. */
export type WebhookWritten =
  | { outcome: "written"; row: Row }
  | { outcome: "missing" }
  | { outcome: "outdated" }
  /** It sends resources that the writer may not read. */
  | { outcome: "unreadable" }
  | { outcome: "invalid"; messages: FieldErrors };

/** `secret` is in clear text, only in this answer. */
export type WithSecret = { outcome: "written"; row: Row; secret: string };

/** Creates a webhook, which reports changes from now on. */
export async function createWebhook(
  { database, keyring }: Store,
  actor: Actor,
  input: Input,
): Promise<WithSecret | Extract<WebhookWritten, { outcome: "invalid" }>> {
  const { tenant } = actor;
  const draft = draftOf(webhook, input, "create");
  if (draft.messages !== null) return { outcome: "invalid", messages: draft.messages };
  const values = storable(webhook, draft, { keyring, tenant }, actor);
  const unheard = unheardTypes(values, null);
  if (unheard !== null) return { outcome: "invalid", messages: unheard };
  const secret = generateSecret();
  await reachNow(tenant, database);
  const row = await insertWebhook(tenant, database, values, keyring.encrypt(tenant, SECRET, secret));
  return { outcome: "written", row, secret };
}

/**
 * Changes only the fields that were sent, if the webhook has one of the expected versions.
 * @param mayReadAll whether the writer may read every resource that a webhook may send
 */
export async function updateWebhook(
  { database, keyring }: Store,
  actor: Actor,
  id: string,
  input: Input,
  expected: Expected = null,
  mayReadAll = true,
): Promise<WebhookWritten> {
  const { tenant } = actor;
  const find = async () => await findWebhook(tenant, database, id);
  const draft = draftOf(webhook, input, "update");
  if (draft.messages !== null) {
    return (await find()) === null ? { outcome: "missing" } : { outcome: "invalid", messages: draft.messages };
  }
  const values = storable(webhook, draft, { keyring, tenant }, actor);
  if (values.active === true) await reachNow(tenant, database);
  // With a body of its own, this change cannot send more than the writer may read.
  const isFree = mayReadAll || values.body !== undefined;
  const changesTypes = values.types !== undefined || values.children !== undefined;
  const refusal = (stored: Row) => (changesTypes ? unheardTypes(values, stored) : null);
  const changed = await changeWebhook(tenant, database, id, values, { expected, mayReadAll: isFree, refusal });
  if (changed !== null) {
    return "row" in changed ? { outcome: "written", ...changed } : { outcome: "invalid", ...changed };
  }
  const stored = isFree && expected === null ? null : await find();
  if (stored === null) return { outcome: "missing" };
  return { outcome: !isFree && isFull(stored) ? "unreadable" : "outdated" };
}

/** The errors of types that only a webhook with `children` receives; null without one. @param stored of an update */
function unheardTypes({ types, children }: Values, stored: Row | null): FieldErrors | null {
  if (children ?? stored?.[CHILDREN] === "t") return null;
  const heard = typesOf(String(types ?? stored?.[TYPES] ?? "[]"));
  const wrong = heard.flatMap((type, at): [string, FieldReason[]][] =>
    Object.hasOwn(childEventMeanings, type) ? [[`types.${at}`, [{ code: "notSelectable" }]]] : [],
  );
  return wrong.length === 0 ? null : Object.fromEntries(wrong);
}

/** Stores a new secret. Each replaced one signs for another day, so their number may exceed the limit. */
export async function rotateSecret(
  { database, keyring }: Store,
  actor: Actor,
  id: string,
  mayReadAll = true,
): Promise<WithSecret | { outcome: "missing" | "unreadable" | "too-many" }> {
  const { tenant } = actor;
  const secret = generateSecret();
  const secrets = { keyring, tenant };
  const replacement = {
    secret: keyring.encrypt(tenant, SECRET, secret),
    withReplaced: (stored: StoredSecrets) => withReplaced(stored, secrets),
    by: changedBy(actor),
    mayReadAll,
  };
  const row = await replaceSecret(tenant, database, id, replacement);
  return typeof row === "string" ? { outcome: row } : { outcome: "written", row, secret };
}

/** Numbers all changes up to now, so that they lie before a webhook that starts at the end of the feed. */
async function reachNow(tenant: TenantId, database: Database): Promise<void> {
  let isMore = true;
  while (isMore) isMore = await numberChanges(tenant, database);
}
