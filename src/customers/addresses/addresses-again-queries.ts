import { stepQuery } from "../../platform/postgres/query.ts";
import { rowAgain } from "../company-children/row-again.ts";

/**
 * `entries`: as JSON, each with its place, its company, and the street, the postal code, the city, the type and the
 * label of an address, which may be empty. Finds the company's address of the same street, postal code and city, of
 * that type if the entry has one; of several, the one with the same label.
 */
export const findAddressesAgain = stepQuery<[entries: string]>(
  "addresses_again",
  `select ${rowAgain.sql}
  from json_to_recordset($2) as r (
    place integer, company_id bigint, address text, postal_code text, city text, type text, label text
  )
  cross join lateral (
    select k.id from addresses k
    where k.tenant_id = $1 and k.company_id = r.company_id and k.deleted_at is null
      and fold(k.address) = fold(r.address) and fold(case when k.city is null then '' else k.city end) = fold(r.city)
      and fold(case when k.postal_code is null then '' else k.postal_code end) = fold(r.postal_code)
      and (r.type = '' or k.type = r.type)
    order by fold(k.label) is not distinct from fold(nullif(r.label, '')) desc, k.id
    limit 1 offset 0
  ) k`,
).all(rowAgain.read);
