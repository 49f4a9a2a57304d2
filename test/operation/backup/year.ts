import type pg from "pg";

const BACK_DATED = (n: string, of: string) => `now() - interval '365 days' * (1 - ${n} / ${of}::float8)`;

/**
 * Fills a tenant with a year of work, back-dated: companies with contacts and addresses, of whom every other one was
 * changed since, and five invoices of each, every other one an order that was delivered. The triggers count them and
 * write their history, as they do for anybody.
 */
export async function fillYear(owner: pg.Client, tenant: string, companies: number): Promise<void> {
  const run = async (text: string, values: unknown[] = []) => await owner.query(text, [tenant, ...values]);
  const [{ first }] = (
    await run(
      `with made as (
        insert into companies (tenant_id, name, tax_id, city, country, status, notes, created_at, updated_at, changed_by)
        select $1, 'Firm ' || n, 'RO' || n, 'Turda', 'Romania', case n % 3 when 0 then 'prospect' else 'active' end, repeat(md5(n::text), 10),
          ${BACK_DATED("n", "$2")}, ${BACK_DATED("n", "$2")}, 'import'
        from generate_series(1, $2::integer) n returning id)
      select min(id) as first from made`,
      [companies],
    )
  ).rows as [{ first: string }];
  const ours = "from companies c where c.tenant_id = $1 and c.id >= $2";
  await run(
    `insert into contacts (tenant_id, company_id, first_name, last_name, email, created_at, updated_at)
     select $1, c.id, 'Ana', 'Pop ' || c.id, c.id || '@example.com', c.created_at, c.created_at ${ours}`,
    [first],
  );
  await run(
    `insert into addresses (tenant_id, company_id, address, city, country, created_at, updated_at)
     select $1, c.id, 'Strada ' || c.id, 'Turda', 'Romania', c.created_at, c.created_at ${ours} and c.id % 2 = 0`,
    [first],
  );
  await run(
    `update companies c set city = 'Cluj-Napoca', status = 'active', updated_at = c.created_at + (now() - c.created_at) / 2, changed_by = 'system'
     where c.tenant_id = $1 and c.id >= $2 and c.id % 2 = 0`,
    [first],
  );
  for (let of = 0; of < 5; of++) {
    // Followed until eternity: nobody asks for these orders.
    await run(
      `insert into invoices (tenant_id, company_id, number, issued_on, total, currency, status, lines, created_at, updated_at,
         wms_instance, wms_order_id, wms_order_number, wms_status, wms_poll_at)
       select $1, c.id, 'Y-' || $3::integer || '-' || c.id, c.created_at, c.id % 1000 + 0.50, 'RON', 'paid',
         '[{"sku":null,"description":"Pallet","quantity":"1","unit_price":"1.50"}]', c.created_at, c.created_at,
         case when $3 % 2 = 0 then 'old.localhost' end, case when $3 % 2 = 0 then c.id * 5 + $3 end, case when $3 % 2 = 0 then 'O-' || c.id * 5 + $3 end,
         case when $3 % 2 = 0 then 'delivered' end, case when $3 % 2 = 0 then 'infinity'::timestamptz end
       ${ours}`,
      [first, of],
    );
  }
  await run("update invoices set wms_poll_at = null where tenant_id = $1 and wms_poll_at = 'infinity'");
  await run("delete from jobs where tenant_id = $1");
  await owner.query("analyze");
}
