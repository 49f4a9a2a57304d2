-- The external ids of a deleted resource are free for others. A restored resource gets back those that are still free;
-- the others leave its row. So are a contact's former ids. Those of a company: companies_before_update.
create or replace function hide_external_ids() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then
    new.external := public.claim_external_ids(new.tenant_id, tg_argv[0], new.id, new.external, false);
  else
    perform public.release_external_ids(new.tenant_id, tg_argv[0], new.id, new.external);
  end if;
  if tg_argv[0] = 'contact' then
    perform public.write_former_ids(new.tenant_id, new.id,
      case when new.deleted_at is not null then new.former_ids end,
      case when new.deleted_at is null then new.former_ids end);
  end if;
  return new;
end
$$;
