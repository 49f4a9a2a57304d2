import { childStoredMembers } from "../../customers/company-children/child-json.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { CONTACT_PERSON } from "../imports/columns/contact-person.ts";
import { RETENTION_DAYS } from "../imports/import.ts";

/** A contact's row and its company's name, deleted or not; null for an unknown contact. */
export const findPerson = quickQuery<[id: string]>(
  "find_person",
  `select ${columnsOf(
    childStoredMembers(contact).map(({ name }) => name),
    "k",
  )}, c.name
  from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id where k.tenant_id = $1 and k.id = $2`,
).row();

/** The call that finds the contacts that were merged into one: they are the same person. */
export const findingMerged = callsOf<[id: string]>(
  "contacts_merged_into",
  `with recursive gone (id) as (
    select $2::bigint
    union
    select m.from_id from gone g cross join lateral (
      select m.from_id from merges m
      where m.tenant_id = $1 and m.type = 'contact' and m.kept_id = g.id and m.undone_at is null offset 0
    ) m
  ) select id from gone where id <> $2`,
);

const countOfActivities = "select count(*) from activities a where a.tenant_id = $1 and a.contact_id = $2";

const extent = selectList({
  changes: column.number(
    "(select count(*) from changes h where h.tenant_id = $1 and h.type = 'contact' and h.resource_id = $2)",
  ),
  activities: column.number(`(${countOfActivities})`),
  notes: column.number(`(${countOfActivities} and a.note is not null)`),
});

/** The number of stored rows about a person, per table. */
export const extentOf = slowQuery<[id: string]>("extent_of_personal_data", `select ${extent.sql}`).only(extent.read);

/** The condition of the records `r` of imports that wrote a contact ($2), as long as these records exist. */
export const isOfContact = `r.tenant_id = $1 and r.resource_id = $2 and r.import_id = any(array(
    select i.id from imports i
    where i.tenant_id = $1 and i.kind in ('contacts', 'companies') and i.forgotten_at is null
  )) and r.is_person = (select i.kind = 'companies' from imports i where i.tenant_id = $1 and i.id = r.import_id)`;

/** The imports whose files have persons: of contacts, and of companies with a contact person. */
const ofPersons = `(i.kind = 'contacts' or (i.kind = 'companies' and i.columns like '%"${CONTACT_PERSON}"%'))`;

const file = selectList({
  import_id: column.number("i.id"),
  file_name: column.text("i.file_name"),
  kept_until: {
    sql: `i.created_at + interval '${RETENTION_DAYS} days'`,
    read: (timestamp) => isoTimestamp(String(timestamp)),
  },
});

/** An import whose file or rejected rows contain the person, or may: rows that were not imported name no contact. */
export type FileOfPerson = Selected<typeof file>;

/** The call that finds the files that contain a contact (fileOfPerson). */
export const findingFilesOf = callsOf<[contact: string]>(
  "kept_files_of_contact",
  `select ${file.sql} from imports i
  where i.tenant_id = $1 and ${ofPersons} and i.forgotten_at is null and (
    i.stored_bytes > 0 and (
      i.state <> 'done'
      or exists (select from import_rows r where r.tenant_id = $1 and r.import_id = i.id and r.resource_id = $2
        and r.is_person = (i.kind = 'companies'))
    ) or exists (select from import_rejections j where j.tenant_id = $1 and j.import_id = i.id)
  )
  order by i.id`,
);

export const fileOfPerson = file.read;

export async function storedFilesOf(tenant: TenantId, database: Database, id: string): Promise<FileOfPerson[]> {
  const [rows = []] = await database.slow.readAll(tenant, [findingFilesOf(id)]);
  return rows.map(fileOfPerson);
}
