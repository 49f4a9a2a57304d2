-- Without a transaction: the texts of older values (0255), in the order of the fields.
do $$
declare
  behind record;
  step bigint;
begin
  for behind in
    select n.name, n.noun, t.id as tenant_id from tenants t
    cross join (values ('companies', 'company'), ('contacts', 'contact'), ('invoices', 'invoice')) n (name, noun)
    where exists (select from custom_fields f where f.tenant_id = t.id and f.noun = n.noun)
  loop
    step := 0;
    while step is not null loop
      execute format($update$
        update %1$I r set values_text = (
          select '{' || string_agg(to_json(e.key)::text || ':' || e.value::text, ',' order by f.position, f.id) || '}'
          from jsonb_each(r.metadata) e
          left join custom_fields f on f.tenant_id = $1 and f.noun = $2 and f.key = e.key and f.purged_at is null
        )
        where r.tenant_id = $1 and r.metadata is not null and jsonb_typeof(r.metadata) = 'object'
          and r.values_text is null and r.id > $3 and r.id <= $4
      $update$, behind.name) using behind.tenant_id, behind.noun, step, step + 1000;
      commit;
      execute format('select min(id) from %I where tenant_id = $1 and metadata is not null and values_text is null and id > $2',
        behind.name) using behind.tenant_id, step + 1000 into step;
      step := step - 1;
    end loop;
  end loop;
end $$;
