import { childMembers } from "../company-children/child-json.ts";
import { contact } from "../contacts/contact.ts";
import { KEPT_DAYS } from "../imports/import.ts";
import { isoTimestamp } from "../platform/dates.ts";
import { columnsOf } from "../platform/fields/sql.ts";
import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Row, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const findStatement: Statement = {
  name: "find_person",
  text: `select ${columnsOf(
    childMembers(contact).map(({ name }) => name),
    "k",
  )}, c.name
  from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id where k.tenant_id = $1 and k.id = $2`,
};

/** A contact's row and its company's name, whether they are deleted or not; null where there is none. */
export async function findPerson(tenant: TenantId, database: Database, id: string): Promise<Row | null> {
  const [row] = await database.quick.read(tenant, findStatement, [id]);
  return row ?? null;
}

const extent = selectList({
  changes: "(select count(*) from changes h where h.tenant_id = $1 and h.type = 'contact' and h.resource_id = $2)",
  activities: "(select count(*) from activities a where a.tenant_id = $1 and a.contact_id = $2)",
  notes: "(select count(*) from activities a where a.tenant_id = $1 and a.contact_id = $2 and a.note is not null)",
});

const extentStatement: Statement = { name: "extent_of_personal_data", text: `select ${extent.sql}` };

/** The numbers of what is kept about a person. */
export type Extent = { changes: number; activities: number; notes: number };

export async function extentOf(tenant: TenantId, database: Database, id: string): Promise<Extent> {
  const [row = []] = await database.slow.read(tenant, extentStatement, [id]);
  const { changes, activities, notes } = extent.read(row);
  return { changes: Number(changes), activities: Number(activities), notes: Number(notes) };
}

/** The condition of the rows `r` of imports of which it is still known that they wrote a contact ($2). */
export const isOfContact = `r.tenant_id = $1 and r.resource_id = $2 and r.import_id = any(array(
    select i.id from imports i where i.tenant_id = $1 and i.kind = 'contacts' and i.forgotten_at is null
  ))`;

/** An import whose file, or what is kept of its refused rows, has the person, or may have: nobody knows whose the rows are that were not imported. */
export type KeptFile = { import_id: number; file_name: string; kept_until: string };

const file = selectList({
  id: "i.id",
  name: "i.file_name",
  keptUntil: `i.created_at + interval '${KEPT_DAYS} days'`,
});

export const keptFilesStatement: Statement = {
  name: "kept_files_of_contact",
  text: `select ${file.sql} from imports i
  where i.tenant_id = $1 and i.kind = 'contacts' and i.forgotten_at is null and (
    i.stored_bytes > 0 and (
      i.state <> 'done'
      or exists (select from import_rows r where r.tenant_id = $1 and r.import_id = i.id and r.resource_id = $2)
    ) or exists (select from import_rejections j where j.tenant_id = $1 and j.import_id = i.id)
  )
  order by i.id`,
};

export function keptFile(row: Row): KeptFile {
  const { id, name, keptUntil } = file.read(row);
  return { import_id: Number(id), file_name: String(name), kept_until: isoTimestamp(String(keptUntil)) };
}

export async function keptFilesOf(tenant: TenantId, database: Database, id: string): Promise<KeptFile[]> {
  return (await database.slow.read(tenant, keptFilesStatement, [id])).map(keptFile);
}
