import { nameOfWriter } from "../changes/change-queries.ts";
import type { Moment } from "../platform/http/lists/moment-cursor.ts";
import type { Database } from "../platform/postgres/database.ts";
import { column, selectList, type Row, type Selected, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { ActivityKind } from "./activity.ts";

const columns = selectList({
  id: column.text("h.id"),
  at: column.text("h.at"),
  kind: column.text<ActivityKind>("h.kind"),
  note: "h.note",
  changedBy: column.text("h.changed_by"),
  writerName: nameOfWriter,
  companyId: column.text("h.company_id"),
  companyName: column.text("c.name"),
  contactId: "h.contact_id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  isLive: column.flag("k.deleted_at is null"),
});

const joined = `from activities h
  join companies c on c.tenant_id = $1 and c.id = h.company_id and c.deleted_at is null
  left join contacts k on k.tenant_id = $1 and k.id = h.contact_id`;

/** An activity, by whom and with whom; `at` is PostgreSQL's text. */
export type Activity = Omit<Selected<typeof columns>, "contactId" | "contactName" | "isLive"> & {
  /** Null where it is of the company alone. */
  contact: { id: string; name: string; isLive: boolean } | null;
};

/** The latest ($5) before a moment ($3, $4) of one contact, or of one company ($2). */
function listStatement(name: string, of: string): Statement {
  return {
    name,
    text: `select ${columns.sql}
    ${joined}
    where h.tenant_id = $1 and ${of} = $2 and (h.at, h.id) < ($3::timestamptz, $4::bigint)
    order by h.at desc, h.id desc limit $5`,
  };
}

const listStatements = {
  contact: listStatement("activities_of_contact", "h.contact_id"),
  company: listStatement("activities_of_company", "h.company_id"),
};

/** The latest activities before a moment with one contact, or with a company's contacts. */
export async function listActivities(
  tenant: TenantId,
  database: Database,
  { of, id }: { of: keyof typeof listStatements; id: string },
  before: Moment,
  limit: number,
): Promise<Activity[]> {
  const rows = await database.quick.read(tenant, listStatements[of], [id, before.at, before.id, limit]);
  return rows.map(activityOf);
}

const findStatement: Statement = {
  name: "find_activity",
  text: `select ${columns.sql} ${joined} where h.tenant_id = $1 and h.id = $2`,
};

/** Null where there is none, or its company is deleted. */
export async function findActivity(tenant: TenantId, database: Database, id: string): Promise<Activity | null> {
  const [row] = await database.quick.read(tenant, findStatement, [id]);
  return row === undefined ? null : activityOf(row);
}

/** More people than anybody looks through in a list of choices; whoever is not among them has a page to write on. */
const CHOICES_MAX = 50;

const contactChoices = selectList({
  id: column.text("k.id"),
  name: column.text("k.first_name || ' ' || k.last_name"),
});

const choicesStatement: Statement = {
  name: "contacts_to_choose",
  text: `select ${contactChoices.sql} from contacts k
  where k.tenant_id = $1 and k.company_id = $2 and k.deleted_at is null
  order by k.is_primary desc, k.last_contacted_at desc nulls last, k.id limit ${CHOICES_MAX}`,
};

/** A company's people, to choose with whom one spoke: the primary contacts first, and those who were spoken to last. */
export async function contactsToChoose(
  tenant: TenantId,
  database: Database,
  companyId: string,
): Promise<Selected<typeof contactChoices>[]> {
  return (await database.quick.read(tenant, choicesStatement, [companyId])).map(contactChoices.read);
}

function activityOf(row: Row): Activity {
  const { contactId, contactName, isLive, ...activity } = columns.read(row);
  return { ...activity, contact: contactId === null ? null : { id: contactId, name: contactName, isLive } };
}
