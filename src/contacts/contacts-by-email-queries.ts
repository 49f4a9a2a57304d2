import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const statement: Statement = {
  name: "look_up_contacts_by_email",
  text: "select id from contact_ids_by_email($2) where $1 > 0",
};

/** The ids of the contacts with an e-mail address, without case. Contacts of deleted companies are among them. */
export async function findContactsByEmail(tenant: TenantId, database: Database, email: string): Promise<string[]> {
  return (await database.quick.read(tenant, statement, [email])).map(([id]) => String(id));
}
