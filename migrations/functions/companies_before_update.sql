-- What goes with the update of a company: the external ids of one that is deleted or restored, and its calls to come.
create or replace function companies_before_update() returns trigger language plpgsql as $$
declare
  is_shown constant boolean := new.deleted_at is null;
  child record;
  kept jsonb;
  next record;
  -- As in the company's history (keep_history).
  has_author constant boolean := old.updated_at is distinct from new.updated_at;
  moment constant timestamptz := case when has_author then new.updated_at else clock_timestamp() end;
  author constant text := case when has_author then new.changed_by end;
begin
  -- 1. The external ids of a deleted company, and of its contacts and addresses, are free for others, and so are the
  -- company's former ids. A restored company gets back those that are still free; the others leave their rows.
  if is_shown <> (old.deleted_at is null) then
    if is_shown then
      new.external := public.claim_external_ids(new.tenant_id, 'company', new.id, new.external, false);
      perform public.write_former_ids(new.tenant_id, new.id, null, new.former_ids);
    else
      perform public.release_external_ids(new.tenant_id, 'company', new.id, new.external);
      perform public.write_former_ids(new.tenant_id, new.id, new.former_ids, null);
    end if;
    for child in
      select 'contact' as type, k.id, k.external, k.former_ids from public.contacts k
      where k.tenant_id = new.tenant_id and k.company_id = new.id and (k.external is not null or k.former_ids is not null) and k.deleted_at is null
      union all
      select 'address', k.id, k.external, null from public.addresses k
      where k.tenant_id = new.tenant_id and k.company_id = new.id and k.external is not null and k.deleted_at is null
      order by type, id
    loop
      perform public.write_former_ids(new.tenant_id, child.id,
        case when not is_shown then child.former_ids end, case when is_shown then child.former_ids end);
      if not is_shown then
        perform public.release_external_ids(new.tenant_id, child.type, child.id, child.external);
        continue;
      end if;
      kept := public.claim_external_ids(new.tenant_id, child.type, child.id, child.external, false);
      continue when kept is not distinct from child.external;
      if child.type = 'contact' then
        update public.contacts k set external = kept, updated_at = moment_after(k.updated_at), changed_by = new.changed_by
        where k.tenant_id = new.tenant_id and k.id = child.id;
      else
        update public.addresses k set external = kept, updated_at = moment_after(k.updated_at), changed_by = new.changed_by
        where k.tenant_id = new.tenant_id and k.id = child.id;
      end if;
    end loop;
  end if;

  -- 2. Another day is that of the next call, and no day ends it. Then the next call may be another one. A writer of
  -- calls has written this day already.
  if new.callback_date is distinct from old.callback_date then
    select k.id, k.due_on into next from public.planned_calls k
    where k.tenant_id = new.tenant_id and k.company_id = new.id and k.deleted_at is null
    order by k.due_on, k.id limit 1;
    if next.due_on is distinct from new.callback_date then
      if next.id is null then
        insert into public.planned_calls (tenant_id, company_id, due_on, planned_by, created_at, updated_at, changed_by)
        values (new.tenant_id, new.id, new.callback_date, author, moment, moment, author);
      else
        update public.planned_calls k set due_on = coalesce(new.callback_date, k.due_on),
          deleted_at = case when new.callback_date is null then moment end, updated_at = moment, changed_by = author
        where k.tenant_id = new.tenant_id and k.id = next.id;
        select min(k.due_on) into new.callback_date from public.planned_calls k
        where k.tenant_id = new.tenant_id and k.company_id = new.id and k.deleted_at is null;
      end if;
    end if;
  end if;
  return new;
end
$$;
