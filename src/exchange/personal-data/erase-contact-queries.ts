import { noteChange } from "../../kit/changes/note-change-queries.ts";
import { enqueue } from "../../kit/jobs/job-queries.ts";
import { erasePendingStatement } from "../../kit/stored-answers/pending-request-queries.ts";
import { answersOfContact, eraseAnswersStatement } from "../../kit/stored-answers/stored-answer-queries.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { runAll } from "../../platform/postgres/query.ts";
import { column, selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { isOfContact, storedFile, storedFilesStatement, type FileOfPerson } from "./personal-data-queries.ts";

/**
 * The number of erased rows per table with a person's data; and the files that contain the person until their retention
 * ends.
 */
export type Receipt = { erased: Record<ErasedTable, number>; files: FileOfPerson[] };

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

const locked = selectList({ companyId: column.text("k.company_id"), version: column.text("k.updated_at") });

const mergedStatement: Statement = {
  name: "contacts_merged_into",
  text: `with recursive gone (id) as (
    select $2::bigint
    union
    select m.from_id from gone g cross join lateral (
      select m.from_id from merges m
      where m.tenant_id = $1 and m.type = 'contact' and m.kept_id = g.id and m.undone_at is null offset 0
    ) m
  ) select id from gone where id <> $2`,
};

const mergesStatement: Statement = {
  name: "erase_merges",
  text: "delete from merges m where m.tenant_id = $1 and m.type = 'contact' and (m.kept_id = $2 or m.from_id = $2) returning m.id",
};

const lockStatement: Statement = {
  name: "lock_contact_to_erase",
  text: `select ${locked.sql} from contacts k where k.tenant_id = $1 and k.id = $2 for update`,
};

const activitiesStatement: Statement = {
  name: "erase_activities",
  text: "update activities a set contact_id = null, note = null where a.tenant_id = $1 and a.contact_id = $2 returning a.id",
};

const callsStatement: Statement = {
  name: "erase_planned_calls",
  text: `update planned_calls h set contact_id = null, about = null, updated_at = moment_after(h.updated_at), changed_by = $3
  where h.tenant_id = $1 and h.contact_id = $2 returning h.id`,
};

const callHistoryStatement: Statement = {
  name: "empty_history_of_calls",
  text: `update changes h set changed = '{}' from unnest($2::bigint[]) k (id)
  where h.tenant_id = $1 and h.type = 'planned_call' and h.resource_id = k.id and h.changed <> '{}' returning h.id`,
};

const importRowsStatement: Statement = {
  name: "erase_import_rows",
  text: `delete from import_rows r where ${isOfContact} returning r.id`,
};

const openedStatement: Statement = {
  name: "erase_opened",
  text: `update last_opened o set opened = array_remove(o.opened, $2::text) where o.tenant_id = $1 and o.opened @> array[$2::text]
  returning o.user_id`,
};

const mailsStatement: Statement = {
  name: "erase_mails",
  text: `delete from mails m using reminders r
  where m.tenant_id = $1 and r.tenant_id = $1 and r.contact_id = $2 and m.id = r.mail_id returning m.id`,
};

const remindersStatement: Statement = {
  name: "drop_reminders_of_contact",
  text: `update reminders r set state = 'dropped', ended_at = now()
  where r.tenant_id = $1 and r.contact_id = $2 and r.state = 'waiting' returning r.id`,
};

const historyStatement: Statement = {
  name: "empty_history",
  text: `update changes h set changed = '{}'
  where h.tenant_id = $1 and h.type = 'contact' and h.resource_id = $2 and h.changed <> '{}' returning h.id`,
};

const contactStatement: Statement = {
  name: "erase_contact",
  text: "delete from contacts k where k.tenant_id = $1 and k.id = $2 returning k.id",
};

/**
 * Erases a contact, deleted or not, and its data in other tables, in one transaction; null for an unknown contact.
 * The row is locked first: earlier writes about it are found, and later ones find no contact. Contacts that were merged
 * into it are the same person, and are erased with it.
 * @param by in the format of changes.changed_by
 */
export async function eraseContact(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
): Promise<Receipt | null> {
  return await database.transaction(tenant, async (run): Promise<Receipt | null> => {
    const merged = (await run(mergedStatement, [id])).map(([other]) => String(other));
    const receipt = await eraseOne(tenant, run, id, by);
    if (receipt === null) return null;
    const { erased } = receipt;
    const files = new Map(receipt.files.map((file) => [file.import_id, file]));
    for (const other of merged) {
      const more = await eraseOne(tenant, run, other, by);
      for (const table of erasedTables) erased[table] += more?.erased[table] ?? 0;
      for (const file of more?.files ?? []) files.set(file.import_id, file);
    }
    await runAll(run, [enqueue(FORGET_STATISTICS_JOB, [0], LANE)]);
    return { erased, files: [...files.values()] };
  });
}

async function eraseOne(tenant: TenantId, run: Run, id: string, by: string): Promise<Receipt | null> {
  const rows = async (statement: Statement, ...parameters: (string | string[])[]) => await run(statement, parameters);
  const [contact] = await rows(lockStatement, id);
  if (contact === undefined) return null;
  const { companyId, version } = locked.read(contact);
  const files = (await rows(storedFilesStatement, id)).map(storedFile);
  await run(erasePendingStatement, []);
  const answers = (await rows(answersOfContact, id)).map(([answer]) => String(answer));
  // The update is in their history too, which is emptied afterwards.
  const calls = (await rows(callsStatement, id, by)).map(([call]) => String(call));
  const ofCalls = (await rows(callHistoryStatement, calls)).length;
  await rows(remindersStatement, id);
  const erased = {
    changes: ofCalls + (await rows(historyStatement, id)).length,
    activities: (await rows(activitiesStatement, id)).length,
    planned_calls: calls.length,
    kept_answers: (await rows(eraseAnswersStatement, answers)).length,
    import_rows: (await rows(importRowsStatement, id)).length,
    last_opened: (await rows(openedStatement, `contact:${id}`)).length,
    mails: (await rows(mailsStatement, id)).length,
    merges: (await rows(mergesStatement, id)).length,
    contacts: (await rows(contactStatement, id)).length,
  };
  await noteChange(run, { type: "contact", id, companyId, action: "erased", changed: {}, after: version, by });
  return { erased, files };
}
