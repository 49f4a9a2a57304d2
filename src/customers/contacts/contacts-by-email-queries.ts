import type { Statement } from "../../platform/postgres/statement.ts";

// A file of its own: the field table has no SQL.
/** The contacts with an e-mail address, without case. Contacts of deleted companies are among them. */
export const contactsByEmail: Statement = {
  name: "look_up_contacts_by_email",
  text: "select id from contact_ids_by_email($2) where $1 > 0",
};
