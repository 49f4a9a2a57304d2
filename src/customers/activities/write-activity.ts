import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { draftOf, refusal, type Writable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { textOrNull } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { ReplacedCall } from "../calls/planned-call-queries.ts";
import type { MadeCall } from "../calls/write-planned-call-queries.ts";
import { noteWritten } from "../companies/search-index-queries.ts";
import { findActivity } from "./activity-queries.ts";
import { activity, newActivity } from "./activity.ts";
import { changeActivity, insertActivity, removeActivity, type ActivityStored } from "./write-activity-queries.ts";

/** `replaced`: the call to come in whose place another one was arranged. */
export type ActivityWritten =
  | { outcome: "written"; companyId: string; replaced: ReplacedCall | null }
  | { outcome: "missing" }
  | { outcome: "invalid"; messages: FieldErrors };

/** As typed: the note, the contact, and the time in the time zone. `made`: the call to come that this was. */
type TypedActivity = { input: Input; timeZone: string; made?: MadeCall | null };

/**
 * Stores a note of a company, or a call, an e-mail or a meeting with its people, at the time in the input (default:
 * now). Updates the day of the last contact, and the next call if one was arranged.
 */
export async function logActivity(
  { database }: Pick<Deps, "database">,
  actor: Actor,
  companyId: string,
  { input, timeZone, made = null }: TypedActivity,
): Promise<ActivityWritten> {
  const { messages, values, callbackDate } = checked(newActivity, input);
  if (messages !== null) return { outcome: "invalid", messages };
  const next = { date: callbackDate, made };
  const stored = await insertActivity(
    actor.tenant,
    database,
    companyId,
    { ...values, timeZone },
    next,
    changedBy(actor),
  );
  if (stored.outcome === "written" && callbackDate !== null) noteWritten(database, { callback_date: callbackDate });
  return outcomeOf(stored);
}

/** Changes an activity of its author; another user's counts as missing. */
export async function editActivity(
  { database }: Pick<Deps, "database">,
  actor: Actor,
  id: string,
  { input, timeZone }: TypedActivity,
): Promise<ActivityWritten> {
  const { messages, values } = checked(activity, input);
  const by = changedBy(actor);
  if (messages !== null) {
    const found = await findActivity(actor.tenant, database, id);
    return refusal(messages, found?.changedBy === by);
  }
  return outcomeOf(await changeActivity(actor.tenant, database, id, { ...values, timeZone }, by));
}

/** Deletes an activity of its author, for good. Returns its company's id; null if it is missing. */
export async function deleteActivity(
  { database }: Pick<Deps, "database">,
  actor: Actor,
  id: string,
): Promise<string | null> {
  return await removeActivity(actor.tenant, database, id, changedBy(actor));
}

function outcomeOf(stored: ActivityStored): ActivityWritten {
  if (stored.outcome !== "no-such-contact") return stored;
  return { outcome: "invalid", messages: { contact_id: [{ code: "notSelectable" }] } };
}

function checked(fields: Writable, input: Input) {
  const { values, messages } = draftOf(fields, input, "create");
  const text = (name: string) => textOrNull(values[name]);
  const said = { kind: String(values.kind), note: text("note"), contactId: text("contact_id"), at: text("at") };
  return { messages, values: said, callbackDate: text("callback_date") };
}
