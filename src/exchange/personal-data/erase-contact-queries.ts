import { noteChange } from "../../kit/changes/note-change-queries.ts";
import { enqueue } from "../../kit/jobs/job-queries.ts";
import { erasePending } from "../../kit/stored-answers/pending-request-queries.ts";
import { eraseAnswers, findingAnswersOf } from "../../kit/stored-answers/stored-answer-queries.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { writeFormerIds } from "../merging/merge-queries.ts";
import {
  isOfContact,
  fileOfPerson,
  findingFilesOf,
  findingMerged,
  type FileOfPerson,
} from "./personal-data-queries.ts";

/**
 * The number of erased rows per table with a person's data; the ids of the contacts that were merged into the erased
 * one, which an older backup has as contacts of their own; and the files that contain the person until their retention
 * ends.
 */
export type Receipt = { erased: Record<ErasedTable, number>; merged: number[]; files: FileOfPerson[] };

export const erasedTables = [
  "contacts",
  "changes",
  "activities",
  "planned_calls",
  "kept_answers",
  "import_rows",
  "last_opened",
  "mails",
  "merges",
] as const;
export type ErasedTable = (typeof erasedTables)[number];

/** The job that removes erased people from the planner's statistics; one per tenant. */
export const FORGET_STATISTICS_JOB = "forget-statistics";
/** One lane for all tenants: they share the tables, which are analysed one after the other. */
const LANE = "statistics";

const locked = selectList({
  companyId: column.text("k.company_id"),
  version: column.text("k.updated_at"),
  formerIds: "k.former_ids",
  mergedInto: "k.merged_into",
});

const eraseMerges = stepQuery<[id: string]>(
  "erase_merges",
  "delete from merges m where m.tenant_id = $1 and m.type = 'contact' and (m.kept_id = $2 or m.from_id = $2) returning m.id",
).count();

const lock = stepQuery<[id: string]>(
  "lock_contact_to_erase",
  `select ${locked.sql} from contacts k where k.tenant_id = $1 and k.id = $2 for update`,
).first(locked.read);

const eraseActivities = stepQuery<[id: string]>(
  "erase_activities",
  "update activities a set contact_id = null, note = null where a.tenant_id = $1 and a.contact_id = $2 returning a.id",
).count();

const eraseCalls = stepQuery<[id: string, by: string]>(
  "erase_planned_calls",
  `update planned_calls h set contact_id = null, about = null, updated_at = moment_after(h.updated_at), changed_by = $3
  where h.tenant_id = $1 and h.contact_id = $2 returning h.id`,
).all(([call]) => String(call));

const emptyHistoryOfCalls = stepQuery<[ids: readonly string[]]>(
  "empty_history_of_calls",
  `update changes h set changed = '{}' from unnest($2::bigint[]) k (id)
  where h.tenant_id = $1 and h.type = 'planned_call' and h.resource_id = k.id and h.changed <> '{}' returning h.id`,
).count();

const eraseImportRows = stepQuery<[id: string]>(
  "erase_import_rows",
  `delete from import_rows r where ${isOfContact} returning r.id`,
).count();

const eraseOpened = stepQuery<[of: string]>(
  "erase_opened",
  `update last_opened o set opened = array_remove(o.opened, $2::text) where o.tenant_id = $1 and o.opened @> array[$2::text]
  returning o.user_id`,
).count();

/** Also mails to an earlier address of the history, but none to an address that others have too. */
const eraseMails = stepQuery<[id: string]>(
  "erase_mails",
  `with own as (
    select lower(k.email) as email from contacts k where k.tenant_id = $1 and k.id = $2
    union
    select lower(v.email) from changes h cross join lateral (values
      (h.changed::json -> 'email' ->> 'from'), (h.changed::json -> 'email' ->> 'to')
    ) v (email) where h.tenant_id = $1 and h.type = 'contact' and h.resource_id = $2
  )
  delete from mails m
  where m.tenant_id = $1 and (
    m.id in (select r.mail_id from reminders r where r.tenant_id = $1 and r.contact_id = $2)
    or m.kind = 'invoice' and lower(m.email) in (
      select own.email from own
      where own.email is not null and not exists (select from contact_ids_by_email(own.email) o where o.id <> $2)
        and not exists (
          select from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id
          where k.tenant_id = $1 and k.id = $2 and c.deleted_at is null and lower(c.email) = own.email)))
  returning m.id`,
).count();

const dropReminders = stepQuery<[id: string]>(
  "drop_reminders_of_contact",
  `update reminders r set state = 'dropped', ended_at = now()
  where r.tenant_id = $1 and r.contact_id = $2 and r.state = 'waiting' returning r.id`,
).nothing();

const emptyHistory = stepQuery<[id: string]>(
  "empty_history",
  `update changes h set changed = '{}'
  where h.tenant_id = $1 and h.type = 'contact' and h.resource_id = $2 and h.changed <> '{}' returning h.id`,
).count();

const eraseContactRow = stepQuery<[id: string]>(
  "erase_contact",
  "delete from contacts k where k.tenant_id = $1 and k.id = $2 returning k.id",
).count();

/**
 * Erases a contact, deleted or not, and its data in other tables, in one transaction; null for an unknown contact, and
 * for one that was merged into another, which has the person's data too. The row is locked first: earlier writes about
 * it are found, and later ones find no contact. Contacts that were merged into it are the same person, and are erased
 * with it.
 * @param by in the format of changes.changed_by
 */
export async function eraseContact(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<Receipt | null> {
  return await database.transaction(tenant, async (run): Promise<Receipt | null> => {
    // It is merged into no other from here on, and no other into it.
    const contact = await lock(run, id);
    if (contact === null || contact.mergedInto !== null) return null;
    const merged = (await run(findingMerged(id))).map(([other]) => String(other));
    const receipt = await eraseOne(run, id, by);
    if (receipt === null) return null;
    const { erased } = receipt;
    const files = new Map(receipt.files.map((file) => [file.import_id, file]));
    for (const other of merged) {
      const more = await eraseOne(run, other, by);
      for (const table of erasedTables) erased[table] += more?.erased[table] ?? 0;
      for (const file of more?.files ?? []) files.set(file.import_id, file);
    }
    await run(enqueue(FORGET_STATISTICS_JOB, [0], LANE));
    return { erased, merged: merged.map(Number), files: [...files.values()] };
  });
}

async function eraseOne(run: Run, id: string, by: string): Promise<Omit<Receipt, "merged"> | null> {
  const contact = await lock(run, id);
  if (contact === null) return null;
  const { companyId, version, formerIds } = contact;
  const files = (await run(findingFilesOf(id))).map(fileOfPerson);
  await erasePending(run);
  const answers = (await run(findingAnswersOf(id))).map(([answer]) => String(answer));
  // The update is in their history too, which is emptied afterwards.
  const calls = await eraseCalls(run, id, by);
  const ofCalls = await emptyHistoryOfCalls(run, calls);
  await dropReminders(run, id);
  // The history has earlier addresses.
  const mails = await eraseMails(run, id);
  // The trigger of the deletion makes only the ids free that it shows.
  await writeFormerIds(run, id, formerIds, null);
  const erased = {
    changes: ofCalls + (await emptyHistory(run, id)),
    activities: await eraseActivities(run, id),
    planned_calls: calls.length,
    kept_answers: await eraseAnswers(run, answers),
    import_rows: await eraseImportRows(run, id),
    last_opened: await eraseOpened(run, `contact:${id}`),
    mails,
    merges: await eraseMerges(run, id),
    contacts: await eraseContactRow(run, id),
  };
  await noteChange(run, { type: "contact", id, companyId, action: "erased", changed: {}, after: version, by });
  return { erased, files };
}
