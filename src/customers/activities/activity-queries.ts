import { isByWriter, nameOfWriter } from "../../kit/changes/change-queries.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Row, type Selected } from "../../platform/postgres/statement.ts";
import { listByTime } from "../../platform/reads/by-time.ts";
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
  isCompanyLive: column.flag("c.deleted_at is null"),
  /** The day of the next call, if it was set together with the activity. */
  callbackDate: "h.callback_date",
  contactId: "h.contact_id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  isLive: column.flag("k.deleted_at is null"),
});

const joined = `left join companies c on c.tenant_id = $1 and c.id = h.company_id
  left join contacts k on k.tenant_id = $1 and k.id = h.contact_id`;

/** An activity, by whom and with whom; `at` is PostgreSQL's text. */
export type Activity = Omit<Selected<typeof columns>, "contactId" | "contactName" | "isLive"> & {
  /** Null if it is of the company alone. */
  contact: { id: string; name: string; isLive: boolean } | null;
};

/** A page of activities before a moment: the tenant's, those with a contact, or those of a company and its contacts. */
export const readActivities = listByTime(
  {
    table: "activities",
    names: { all: "list_activities", contact_id: "activities_of_contact", company_id: "activities_of_company" },
    filters: { kind: { sql: "h.kind = :kind", type: "text" }, by: { sql: isByWriter(":by"), type: "text" } },
    beside: joined,
  },
  { sql: columns.sql, read: activityOf },
);

/** Null if there is none, or its company is deleted. */
export const findActivity = quickQuery<[id: string]>(
  "find_activity",
  `select ${columns.sql} from activities h ${joined}
  where h.tenant_id = $1 and h.id = $2 and c.deleted_at is null`,
).first(activityOf);

/** The latest call, e-mail or meeting with a company; null if there is none. */
export const lastContact = quickQuery<[companyId: string]>(
  "last_contact_with_company",
  `select ${columns.sql}
  from companies c
  join activities h on h.tenant_id = $1 and h.company_id = c.id and h.at = c.last_contacted_at and h.kind <> 'note'
  left join contacts k on k.tenant_id = $1 and k.id = h.contact_id
  where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null order by h.id desc limit 1`,
).first(activityOf);

/** The most people in a list of choices: nobody reads a longer one. All others have a page of their own. */
const CHOICES_MAX = 50;

const contactChoices = selectList({
  id: column.text("k.id"),
  name: column.text("k.first_name || ' ' || k.last_name"),
});

/**
 * A company's people, to choose with whom one spoke: the primary contacts first, and those who were spoken to last.
 * `chosen` is among them in any case.
 */
export const contactsToChoose = quickQuery<[companyId: string, chosen: string | null]>(
  "contacts_to_choose",
  `select ${contactChoices.sql} from contacts k
  where k.tenant_id = $1 and k.company_id = $2 and k.deleted_at is null
  order by (k.id = coalesce($3::bigint, 0)) desc, k.is_primary desc, k.last_contacted_at desc nulls last, k.id limit ${CHOICES_MAX}`,
).all(contactChoices.read);

function activityOf(row: Row): Activity {
  const { contactId, contactName, isLive, ...activity } = columns.read(row);
  return { ...activity, contact: contactId === null ? null : { id: contactId, name: contactName, isLive } };
}
