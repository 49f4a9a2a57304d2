/** The most custom fields that are in use (docs/contract.md 21). */
const CUSTOM_FIELDS = 50;

const tables = { company: "companies", contact: "contacts", invoice: "invoices" };

/** The SQL of a text of option `o` of field `n`: letters of its own, which no compression makes shorter. */
const option = (length: number) => `lpad(substr(md5(${length} || '/' || n || '/' || o), 1, 25), ${length}, '😀')`;

type Sql = (text: string, parameters: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * For each noun the most custom fields that are in use, and as many archived ones, with the longest options. The first
 * records have the longest values. The lists of a user show all of these fields. Returns the id of a field.
 */
export async function withLongestFields(
  sql: Sql,
  { tenant, user, records }: { tenant: number | string; user: number; records: number },
): Promise<string> {
  await sql(
    `insert into custom_fields (tenant_id, noun, key, label, kind, help, "position", archived, archived_at, options)
    select $1, noun, 'k' || n, lpad(n::text, 60, '😀'), case when n % 2 = 0 then 'text' else 'choice' end,
      repeat('ț', 200), n, n > $2, case when n > $2 then now() end, case when n % 2 = 1 then (
        select jsonb_agg(jsonb_build_object('value', ${option(40)}, 'label', ${option(60)}, 'archived', false))
        from generate_series(1, 100) o
      ) end
    from unnest($3::text[]) noun, generate_series(1, 2 * $2::integer) n`,
    [tenant, CUSTOM_FIELDS, Object.keys(tables)],
  );
  for (const table of Object.values(tables)) {
    await sql(
      `update ${table} set metadata = (
        select jsonb_object_agg('k' || n, case when n % 2 = 0 then repeat('😀', 1000) else ${option(40)} end)
        from generate_series(1, $2::integer) n, (select 1) one (o)
      ) where tenant_id = $1 and id in (select id from ${table} where tenant_id = $1 order by id limit $3)`,
      [tenant, CUSTOM_FIELDS, records],
    );
  }
  await sql(
    `insert into list_columns (tenant_id, user_id, list, columns)
    select $1, $2, list, array(select 'custom.k' || n from generate_series(1, $3::integer) n)
    from unnest(array['companies', 'contacts', 'orders']) list`,
    [tenant, user, CUSTOM_FIELDS],
  );
  const [row] = await sql("select min(id) as id from custom_fields where tenant_id = $1", [tenant]);
  return String(row?.id);
}
