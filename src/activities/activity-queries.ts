import { nameOfWriter } from "../changes/change-queries.ts";
import type { Moment } from "../platform/http/moment-cursor.ts";
import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Row, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const touchStatement: Statement = {
  name: "touch_contact",
  text: `update contacts k set last_contacted_at = moment_after(coalesce(k.last_contacted_at, k.created_at)),
    updated_at = moment_after(k.updated_at), changed_by = $3
  where k.tenant_id = $1 and k.id = $2 and k.deleted_at is null
    and exists (select from companies c where c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null)
  returning k.company_id, k.last_contacted_at`,
};

const insertStatement: Statement = {
  name: "insert_activity",
  text: `insert into activities (tenant_id, contact_id, company_id, at, kind, note, changed_by)
  values ($1, $2, $3, $4, $5, $6, $7)`,
};

/** Stores an activity of now, together with its contact's last_contacted_at; false where there is no such contact. */
export async function insertActivity(
  tenant: TenantId,
  database: Database,
  contactId: string,
  { kind, note }: { kind: string; note: string | null },
  by: string,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    const [touched] = await run(touchStatement, [contactId, by]);
    if (touched === undefined) return false;
    const [companyId = null, at = null] = touched;
    await run(insertStatement, [contactId, companyId, at, kind, note, by]);
    return true;
  });
}

const columns = selectList({
  id: "h.id",
  at: "h.at",
  kind: "h.kind",
  note: "h.note",
  changedBy: "h.changed_by",
  writerName: nameOfWriter,
  contactId: "h.contact_id",
  firstName: "k.first_name",
  lastName: "k.last_name",
  isLive: "k.deleted_at is null",
});

/** An activity, by whom and with whom; `at` is PostgreSQL's text. */
export type Activity = {
  id: string;
  at: string;
  kind: string;
  note: string | null;
  changedBy: string;
  writerName: string | null;
  contact: { id: string; name: string; isLive: boolean };
};

/** The latest ($5) before a moment ($3, $4) of one contact, or of one company ($2). */
function listStatement(name: string, of: string): Statement {
  return {
    name,
    text: `select ${columns.sql}
    from activities h join contacts k on k.tenant_id = $1 and k.id = h.contact_id
    where h.tenant_id = $1 and ${of} = $2 and (h.at, h.id) < ($3::timestamptz, $4::bigint)
    order by h.at desc, h.id desc limit $5`,
  };
}

const ofContactStatement = listStatement("activities_of_contact", "h.contact_id");
const ofCompanyStatement = listStatement("activities_of_company", "h.company_id");

/** A contact's latest activities before a moment. */
export async function activitiesOfContact(
  tenant: TenantId,
  database: Database,
  contactId: string,
  before: Moment,
  limit: number,
): Promise<Activity[]> {
  const rows = await database.quick.read(tenant, ofContactStatement, [contactId, before.at, before.id, limit]);
  return rows.map(activityOf);
}

/** The latest activities with a company's contacts. */
export async function activitiesOfCompany(
  tenant: TenantId,
  database: Database,
  companyId: string,
  before: Moment,
  limit: number,
): Promise<Activity[]> {
  const rows = await database.quick.read(tenant, ofCompanyStatement, [companyId, before.at, before.id, limit]);
  return rows.map(activityOf);
}

function activityOf(row: Row): Activity {
  const { id, at, kind, note, changedBy, writerName: name, contactId, firstName, lastName, isLive } = columns.read(row);
  return {
    id: String(id),
    at: String(at),
    kind: String(kind),
    note,
    changedBy: String(changedBy),
    writerName: name,
    contact: { id: String(contactId), name: `${firstName} ${lastName}`, isLive: isLive === "t" },
  };
}
