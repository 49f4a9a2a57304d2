import { stepQuery } from "../../platform/postgres/query.ts";
import { rowAgain } from "../company-children/row-again.ts";

/**
 * `entries`: as JSON, each with its place, its company, and the e-mail address and the names of a person, which may be
 * empty. Finds the company's contact with the same address, or with the same name and no other address.
 */
export const findContactsAgain = stepQuery<[entries: string]>(
  "contacts_again",
  `select ${rowAgain.sql}
  from json_to_recordset($2) as r (place integer, company_id bigint, email text, first text, last text)
  cross join lateral (
    select k.id from contacts k
    where k.tenant_id = $1 and k.company_id = r.company_id and k.deleted_at is null and (
      (r.email <> '' and lower(k.email) = lower(r.email))
      or (r.last <> '' and fold(k.last_name) = fold(r.last) and fold(k.first_name) = fold(r.first)
        and (r.email = '' or k.email is null))
    )
    order by lower(k.email) is not distinct from lower(r.email) desc,
      fold(k.last_name) = fold(r.last) and fold(k.first_name) = fold(r.first) desc, k.id
    limit 1 offset 0
  ) k`,
).all(rowAgain.read);
