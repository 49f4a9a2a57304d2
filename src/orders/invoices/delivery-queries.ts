import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

/**
 * SQL for the address `d` to which the goods of an invoice `i` go: the chosen one, otherwise the default delivery
 * address, otherwise the first. Without any, they go to the company's own. `placeIn` is the same for pages.
 */
export const deliveryAddress = `left join lateral (
    select * from addresses a
    where a.tenant_id = $1 and a.company_id = i.company_id and a.deleted_at is null
      and (a.id = i.delivery_address_id or a.type = 'delivery')
    order by (a.id = i.delivery_address_id) is true desc, a.is_default desc, a.id limit 1
  ) d on true`;

/** The condition that the warehouse would get no street for an invoice `i` of a company `c`. */
export const hasNoStreet = `(i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null
    and not exists (select from addresses a where a.tenant_id = $1 and a.company_id = i.company_id and a.deleted_at is null
      and (a.id = i.delivery_address_id or a.type = 'delivery')))`;

/** The most addresses of a company that a form offers. */
const MOST_OFFERED = 100;

const offered = selectList({
  id: column.text("a.id"),
  type: column.text("a.type"),
  label: "a.label",
  address: "a.address",
  city: "a.city",
  contactName: "a.contact_name",
  phone: "a.phone",
  notes: "a.delivery_notes",
  isDefault: column.flag("a.is_default"),
});

/** An address as it is stored: its phone is encrypted. */
export type OfferedAddress = Selected<typeof offered>;

/** A company's addresses: the chosen one, then those for deliveries as `deliveryAddress` sorts them, then others. */
export const listOffered = quickQuery<[companyId: string, chosen: string | null]>(
  "list_offered",
  `select ${offered.sql} from addresses a
  where a.tenant_id = $1 and a.company_id = $2 and a.deleted_at is null
  order by (a.id = $3::bigint) is true desc, a.type = 'delivery' desc, a.is_default desc, a.id limit ${MOST_OFFERED}`,
).all(offered.read);

/** Whether an address is one of a company's. */
export const isAddressOfCompany = quickQuery<[companyId: string, addressId: string]>(
  "is_address_of_company",
  "select 1 from addresses a where a.tenant_id = $1 and a.company_id = $2 and a.id = $3 and a.deleted_at is null",
).exists();

/** Whether an address is one of an invoice's company, or was chosen before: a deleted one may be sent again. */
export const isAddressOfInvoice = quickQuery<[invoiceId: string, addressId: string]>(
  "is_address_of_invoice",
  `select 1 from invoices i where i.tenant_id = $1 and i.id = $2 and (i.delivery_address_id = $3 or exists (
    select from addresses a where a.tenant_id = $1 and a.company_id = i.company_id and a.id = $3 and a.deleted_at is null))`,
).exists();

/** $2: ids of addresses. The live ones, each with its company. */
export const companiesOfAddresses = stepQuery<[ids: readonly string[]]>(
  "companies_of_addresses",
  `select a.id, a.company_id from addresses a
  where a.tenant_id = $1 and a.id = any($2::bigint[]) and a.deleted_at is null`,
).of((rows) => new Map(rows.map(([id, company]) => [String(id), String(company)])));
