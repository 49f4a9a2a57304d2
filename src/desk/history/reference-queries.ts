import type { Wording } from "../../kit/changes/change-words.ts";
import type { Difference } from "../../kit/changes/differences.ts";
import type { Deps } from "../../kit/deps.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

const named = selectList({ field: "n.field", id: column.text("n.id"), name: "n.name" });

const namesOf = slowQuery<[addresses: string[], contacts: string[], invoices: string[]]>(
  "names_of_references",
  `select ${named.sql} from (
    select 'delivery_address_id' as field, a.* from unnest($2::bigint[]) r (id), lateral (
      select a.id, concat_ws(', ', nullif(btrim(a.label), ''), nullif(btrim(a.address), ''), nullif(btrim(a.city), '')) as name
      from addresses a where a.tenant_id = $1 and a.id = r.id offset 0) a
    union all select 'contact_id', k.* from unnest($3::bigint[]) r (id), lateral (
      select k.id, k.first_name || ' ' || k.last_name from contacts k where k.tenant_id = $1 and k.id = r.id offset 0) k
    union all select 'invoice_id', i.* from unnest($4::bigint[]) r (id), lateral (
      select i.id, i.number from invoices i where i.tenant_id = $1 and i.id = r.id offset 0) i) n`,
).all(named.read);

/** The fields of changes that are the id of another resource, in the order of the statement. */
const REFERENCES = ["delivery_address_id", "contact_id", "invoice_id"] as const;

/**
 * Adds to a wording the current names of what the changes refer to, of deleted resources too. What no longer exists
 * keeps its number.
 */
export async function withReferences(
  { database }: Deps,
  tenant: TenantId,
  differences: readonly Pick<Difference, "field" | "from" | "to">[],
): Promise<(wording: Wording) => Wording> {
  const idsOf = (name: string) => [
    ...new Set(
      differences
        .filter(({ field }) => field === name)
        .flatMap(({ from, to }) => [from, to].filter((id) => id !== null && id !== undefined).map(String)),
    ),
  ];
  const [addresses, contacts, invoices] = REFERENCES.map(idsOf) as [string[], string[], string[]];
  if ([addresses, contacts, invoices].every((ids) => ids.length === 0)) return (wording) => wording;
  const rows = await namesOf(tenant, database, addresses, contacts, invoices);
  const names = new Map(rows.map(({ field, id, name }) => [`${field} ${id}`, name]));
  return (wording) => ({
    ...wording,
    value: (field, stored, currency) => names.get(`${field} ${stored}`) || wording.value(field, stored, currency),
  });
}
