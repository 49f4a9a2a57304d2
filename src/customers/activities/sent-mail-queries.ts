import { callsOf, type NamedValues } from "../../platform/postgres/query.ts";
import type { Call } from "../../platform/postgres/statement.ts";

/** SQL: the row `m` that a mail is about, and the ids and the author in its terms. `contact`: null without one. */
type MailedRow = { from: string; company: string; contact: string | null; by: string };

/**
 * The calls that write a sent mail down as an e-mail to a company, and to its contact if one got it. They read the row
 * that the mail is about, which is of the kept company after a merge.
 */
export function loggingEmail(
  name: string,
  { from, company, contact, by }: MailedRow,
): (of: NamedValues, note: string) => Call[] {
  // Not a null id: a cluster finds no row by it, and inserts none.
  const [column, value] =
    contact === null
      ? ["", ""]
      : ["contact_id, ", `(select k.id from contacts k where k.tenant_id = m.tenant_id and k.id = ${contact}), `];
  // Not now(): on a cluster, an insert reads the clock of a node, and an update that of the coordinator. A removed
  // activity was the last contact if both moments are equal.
  const moment = `(select c.last_contacted_at from companies c where c.tenant_id = m.tenant_id and c.id = ${company})`;
  // `returning`: a cluster would copy the rows otherwise, which row-level security refuses (decision 21).
  const logging = callsOf<NamedValues>(
    `activity_of_${name}`,
    `insert into activities (tenant_id, company_id, ${column}at, kind, note, changed_by)
  select m.tenant_id, ${company}, ${value}${moment}, 'email', :note, ${by} from ${from} returning id`,
  );
  const contactingCompany = callsOf<NamedValues>(
    `company_of_${name}_contacted`,
    `update companies c set last_contacted_at = greatest(c.last_contacted_at, now())
  from ${from} and c.tenant_id = $1 and c.id = ${company}`,
  );
  const contactingContact =
    contact !== null &&
    callsOf<NamedValues>(
      `contact_of_${name}_contacted`,
      `update contacts k set last_contacted_at = greatest(k.last_contacted_at, now()), updated_at = moment_after(k.updated_at),
    changed_by = ${by}
  from ${from} and k.tenant_id = $1 and k.id = ${contact} and k.deleted_at is null`,
    );
  return (of, note) => {
    const values = { ...of, note };
    return [contactingCompany(values), ...(contactingContact ? [contactingContact(values)] : []), logging(values)];
  };
}
