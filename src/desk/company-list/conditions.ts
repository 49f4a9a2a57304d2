/**
 * The condition of a company, by six parameters from `first` on: the search, the status, the owner, the city, the last
 * day on which it is to be called, and the orders, of which `none` alone counts here.
 */
export function conditions(alias: string, first: number): string {
  const [search, status, owner, city, until, orders] = [0, 1, 2, 3, 4, 5].map((place) => `$${first + place}`);
  return `(${search}::text is null or ${alias}.search_text like (select search_pattern(${search})))
    and (${status}::text is null or ${alias}.status = ${status}) and (${owner}::bigint is null or ${alias}.assigned_to = ${owner})
    and (${city}::text is null or starts_with(fold(${alias}.city), (select nullif(fold(${city}), ''))))
    and (${until}::date is null or ${alias}.callback_date <= ${until})
    and (${orders}::text is distinct from 'none' or (
      select i.id from invoices i where i.tenant_id = $1 and i.company_id = ${alias}.id and i.wms_order_id is not null
      order by i.company_id, i.wms_synced_at desc nulls last, i.id limit 1
    ) is null)`;
}
