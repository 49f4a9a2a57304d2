import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { checkUsers } from "../../people/users/check-users.ts";
import { draftOf } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { noteWritten } from "../companies/search-index-queries.ts";
import { plannedCall } from "./planned-call.ts";
import { inCompany } from "./write-planned-call-queries.ts";

type CallWritten = { outcome: "written" } | { outcome: "missing" } | { outcome: "invalid"; messages: FieldErrors };

/** Of a company; without an `id` a new call, or of a move the next one. */
type CallOf = { companyId: string; id: string | null };

/**
 * Plans a call with a company, or changes the one with the `id`.
 * @param assignedTo the user of that one, who stays even after leaving
 */
export async function writePlannedCall(
  deps: Pick<Deps, "database">,
  actor: Actor,
  { companyId, id, assignedTo }: CallOf & { assignedTo: string | null },
  input: Input,
): Promise<CallWritten> {
  const drafts = [draftOf(plannedCall, input, "create")];
  const isSame = String(drafts[0]?.values.assigned_to) === assignedTo;
  const [draft] = isSame ? drafts : await checkUsers(actor.tenant, deps.database, plannedCall, drafts);
  if (draft === undefined) return { outcome: "missing" };
  const { messages, values } = draft;
  if (messages !== null) return { outcome: "invalid", messages };
  const written = await writing(deps, actor, companyId, async (calls): Promise<CallWritten> => {
    const wrong = await calls.wrongReferences(values);
    if (wrong !== null) return { outcome: "invalid", messages: wrong };
    if (id !== null) return { outcome: (await calls.change(id, values)) ? "written" : "missing" };
    await calls.insert(values);
    return { outcome: "written" };
  });
  return written ?? { outcome: "missing" };
}

/** Moves a call to another day; null ends it. */
export async function movePlannedCall(
  deps: Pick<Deps, "database">,
  actor: Actor,
  { companyId, id }: CallOf,
  date: string | null,
): Promise<void> {
  await writing(deps, actor, companyId, async (calls) => await calls.move(id, date));
}

/** Plans a call again that is over, or that another one replaced. */
export async function keepPlannedCall(
  deps: Pick<Deps, "database">,
  actor: Actor,
  companyId: string,
  id: string,
): Promise<void> {
  await writing(deps, actor, companyId, async (calls) => {
    await calls.keep(id);
  });
}

async function writing<T>(
  { database }: Pick<Deps, "database">,
  actor: Actor,
  companyId: string,
  write: Parameters<typeof inCompany<T>>[3],
): Promise<T | null> {
  const done = await inCompany(actor.tenant, database, { companyId, by: changedBy(actor) }, write);
  if (done === null) return null;
  if (done.date !== null) noteWritten(database, { callback_date: done.date });
  return done.result;
}
