import { isOwnedBy } from "../../../customers/companies/live-company-queries.ts";
import { rarestEntries } from "../../../platform/reads/custom-values.ts";
import { hasNoStreet } from "../../invoices/delivery-queries.ts";
import { dueDay } from "../../invoices/money-queries.ts";

/** The columns by which invoices are filtered and sorted. An index with all of them would be read whole. */
export const NARROW =
  "i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id";
/** The invoices with a number, with an order of that number, or with the rarest value, of any age. */
export const BESIDE = `union select ${NARROW} from (${rarestEntries("invoice")}) v join invoices i on i.tenant_id = $1 and i.id = v.id
    union select ${NARROW} from invoices i where i.tenant_id = $1 and i.number = :search
    union select ${NARROW} from invoices i where i.tenant_id = $1
      and i.wms_order_id = case when :search ~ '^[0-9]{1,18}$' then :search::bigint end`;
const hasSku = `exists (
      select from invoices s cross join lateral json_array_elements(s.lines::json) l
      where s.tenant_id = $1 and s.id = i.id and l ->> 'sku' = :sku)`;
/** The condition of the days of payment. */
export const IS_DUE = `(:due_from::date is null or coalesce(${dueDay}, 'infinity') >= :due_from::date)
    and (:due_to::date is null or ${dueDay} <= :due_to::date)`;
/** The filters of a list, on its invoices `i` and their companies `c`. */
export const FILTERS = `(i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
    and (:instance::text is null or i.wms_instance = :instance) and ${isOwnedBy("c", ":assigned_to")}
    and (:company::bigint is null or i.company_id = :company::bigint) and (:currency::text is null or i.currency = :currency)
    and ${IS_DUE}
    and (:sku::text is null or ${hasSku})
    and (not :is_street_missing::boolean or ${hasNoStreet})
    and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
    and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search))
      or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))`;
/** Each order of a list. */
export const ORDER = `case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then ${dueDay} end nulls last, case when :sort = '-due_on' then ${dueDay} end desc nulls last,
    case when :sort = 'issued_on' then i.issued_on end nulls last,
    case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc`;
