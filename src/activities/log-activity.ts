import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { draftOf } from "../platform/fields/draft.ts";
import type { Input } from "../platform/fields/fields.ts";
import type { FieldErrors } from "../platform/fields/validation.ts";
import { changedBy } from "../platform/fields/writer.ts";
import { insertActivity } from "./activity-queries.ts";
import { activity } from "./activity.ts";

export type Logged = { outcome: "logged" } | { outcome: "missing" } | { outcome: "invalid"; messages: FieldErrors };

/** Keeps that somebody called, wrote to or met a contact just now, and sets when the contact was last contacted. */
export async function logActivity(
  { database }: Pick<Deps, "database">,
  actor: Actor,
  contactId: string,
  input: Input,
): Promise<Logged> {
  const { values, messages } = draftOf(activity, input, "create");
  if (messages !== null) return { outcome: "invalid", messages };
  const kind = String(values.kind);
  const note = values.note === null || values.note === undefined ? null : String(values.note);
  const isLogged = await insertActivity(actor.tenant, database, contactId, { kind, note }, changedBy(actor));
  return { outcome: isLogged ? "logged" : "missing" };
}
