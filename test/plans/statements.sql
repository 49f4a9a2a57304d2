-- accept_invitation
update invitations i set accepted_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
where i.tenant_id = $1
and i.id = :id
and i.token_hash = :hash
and i.accepted_at is null
and i.revoked_at is null
and i.expires_at > to_timestamp(:time::double precision / 1000)
returning i.email, i.role;

-- accept_invitation_of_address
update invitations i set accepted_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
where i.tenant_id = $1
and lower(i.email) = lower(:email)
and i.accepted_at is null
and i.revoked_at is null
and i.for_user is null
and i.expires_at > to_timestamp(:time::double precision / 1000)
and i.invited_by is not distinct
from :maker
returning i.role;

-- activities_of_company
with seen as materialized (
  select h.id, h.at, h.kind, h.changed_by
  from activities h
  where h.tenant_id = $1
  and h.company_id >= :value::bigint
  and (h.company_id, h.at, h.id) < (:value::bigint, least(:at::timestamptz,
    (:to::date + 1)::timestamp at time zone :time_zone),
    case when (:to::date + 1)::timestamp at time zone :time_zone < :at::timestamptz then 0 else :id::bigint end)
  and h.at >= coalesce(:from::date::timestamp at time zone :time_zone, '-infinity')
  order by h.company_id desc, h.at desc, h.id desc
  limit :most
), last as (
  select (select count(*) from seen) as looked, at, id
  from seen
  order by at, id
  limit 1
), found as (
  select h.id
  from seen h
  where true
  and (:kind::text is null or h.kind = :kind)
  and (:by::text is null or (h.changed_by in (:by, replace(:by, 'key:', 'mcp:')) or starts_with(h.changed_by,
    replace(:by, 'key:', 'mcp:') || ':')))
  order by h.at desc, h.id desc
  limit :found
)
select s.looked, s.at, s.id, h.id, h.at, h.kind, h.note, h.changed_by, case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end, h.company_id, c.name, c.deleted_at is null, h.callback_date, h.contact_id, k.first_name || ' ' || k.last_name,
  k.deleted_at is null
from last s
left join found f on true
left join activities h on h.tenant_id = $1
and h.id = f.id
left join companies c on c.tenant_id = $1
and c.id = h.company_id
left join contacts k on k.tenant_id = $1
and k.id = h.contact_id
order by h.at desc, h.id desc;

-- activities_of_contact
with seen as materialized (
  select h.id, h.at, h.kind, h.changed_by
  from activities h
  where h.tenant_id = $1
  and h.contact_id >= :value::bigint
  and (h.contact_id, h.at, h.id) < (:value::bigint, least(:at::timestamptz,
    (:to::date + 1)::timestamp at time zone :time_zone),
    case when (:to::date + 1)::timestamp at time zone :time_zone < :at::timestamptz then 0 else :id::bigint end)
  and h.at >= coalesce(:from::date::timestamp at time zone :time_zone, '-infinity')
  order by h.contact_id desc, h.at desc, h.id desc
  limit :most
), last as (
  select (select count(*) from seen) as looked, at, id
  from seen
  order by at, id
  limit 1
), found as (
  select h.id
  from seen h
  where true
  and (:kind::text is null or h.kind = :kind)
  and (:by::text is null or (h.changed_by in (:by, replace(:by, 'key:', 'mcp:')) or starts_with(h.changed_by,
    replace(:by, 'key:', 'mcp:') || ':')))
  order by h.at desc, h.id desc
  limit :found
)
select s.looked, s.at, s.id, h.id, h.at, h.kind, h.note, h.changed_by, case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end, h.company_id, c.name, c.deleted_at is null, h.callback_date, h.contact_id, k.first_name || ' ' || k.last_name,
  k.deleted_at is null
from last s
left join found f on true
left join activities h on h.tenant_id = $1
and h.id = f.id
left join companies c on c.tenant_id = $1
and c.id = h.company_id
left join contacts k on k.tenant_id = $1
and k.id = h.contact_id
order by h.at desc, h.id desc;

-- activity_of_invoice_mailed_to_contact
insert into activities(tenant_id, company_id, contact_id, at, kind, note, changed_by)
select m.tenant_id, m.company_id, (
  select k.id
  from contacts k
  where k.tenant_id = m.tenant_id
  and k.id = :contactId
), (
  select c.last_contacted_at
  from companies c
  where c.tenant_id = m.tenant_id
  and c.id = m.company_id
), 'email', :note, :by
from invoices m
where m.tenant_id = $1
and m.id = :invoice
returning id;

-- activity_of_mailed_invoice
insert into activities(tenant_id, company_id, at, kind, note, changed_by)
select m.tenant_id, m.company_id, (
  select c.last_contacted_at
  from companies c
  where c.tenant_id = m.tenant_id
  and c.id = m.company_id
), 'email', :note, :by
from invoices m
where m.tenant_id = $1
and m.id = :invoice
returning id;

-- activity_of_reminder
insert into activities(tenant_id, company_id, contact_id, at, kind, note, changed_by)
select m.tenant_id, m.company_id, (
  select k.id
  from contacts k
  where k.tenant_id = m.tenant_id
  and k.id = m.contact_id
), (
  select c.last_contacted_at
  from companies c
  where c.tenant_id = m.tenant_id
  and c.id = m.company_id
), 'email', :note, m.changed_by
from reminders m
where m.tenant_id = $1
and (m.id = :id::bigint or m.mail_id = :mailId::bigint)
returning id;

-- all_contacts_by_last_contact
select k.id, c.id, c.name
from (
  select k.*, k.last_contacted_at as place
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  order by k.last_contacted_at desc nulls last, k.id desc
  limit 10000
) k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
order by k.place desc nulls last, k.id desc
limit :limit
offset :offset;

-- all_contacts_by_name
select k.id, c.id, c.name
from (
  select k.*, fold(k.first_name || ' ' || k.last_name) collate "C" as place
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  order by fold(k.first_name || ' ' || k.last_name) collate "C", k.id
  limit 10000
) k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
order by k.place, k.id
limit :limit
offset :offset;

-- begin_merge
insert into merges(tenant_id, type, kept_id, from_id, merged_by) values($1, :type, :to, :from, :by)
returning id;

-- broken_promises
select p.company_id, c.name, p.until, p.note
from (
  select n.company_id
  from (
    select p.until, p.company_id
    from promises p
    where p.tenant_id = $1
    and p.until < :today::date
    order by p.until, p.company_id
    limit 10000
  ) n
  cross join lateral (
    select c.assigned_to
    from companies c
    where c.tenant_id = $1
    and c.id = n.company_id
    and c.deleted_at is null
    offset 0
  ) c
  cross join lateral (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = n.company_id
    and i.status = 'issued'
    and (case when i.due_on is null then i.terms_due_on else i.due_on end) < :today::date
    and ((i.total - i.paid) < 0) is not true
    limit 1
  ) i
  where (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  order by n.until, n.company_id
  limit :most
) n
join promises p on p.tenant_id = $1
and p.company_id = n.company_id
cross join lateral (
  select name
  from companies
  where tenant_id = $1
  and id = p.company_id
  offset 0
) c
order by p.until, p.company_id;

-- call_backs
with s as materialized (
  select n.id, n.due_on as at, c.assigned_to
  from (
    select h.id, h.company_id, h.assigned_to, h.due_on
    from planned_calls h
    where h.tenant_id = $1
    and h.deleted_at is null
    and h.due_on <= :today::date
    order by h.due_on, h.id
    limit 10000
  ) n
  cross join lateral (
    select coalesce(n.assigned_to, c.assigned_to) as assigned_to
    from companies c
    where c.tenant_id = $1
    and c.id = n.company_id
    and c.deleted_at is null
    offset 0
  ) c
), k as (
  select k.*, null as sums
  from (
    select count(*) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as own, count(*) filter(where (0::bigint is null or coalesce(s.assigned_to,
      0) = 0 or (0 = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as nobodys, (
      select count(*)
      from (
        select
        from planned_calls h
        where h.tenant_id = $1
        and h.deleted_at is null
        and h.due_on <= :today::date
        limit 10001
      ) n
    ) > 10000 as is_cut, max(s.id) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as newest
    from s
  ) k
), n as (
  select s.id, s.at
  from s
  where (:assigned_to::bigint is null or coalesce(s.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  order by at, id
  limit :most
)
select n.id, h.id, c.id, c.name, h.due_on, h.about, i.id, i.number, c.phone, k.id, k.first_name || ' ' || k.last_name,
  k.phone, k.mobile, counts.*
from k counts
left join n on true
left join lateral (select * from planned_calls where tenant_id = $1 and id = n.id offset 0) h on true
left join lateral (select * from companies where tenant_id = $1 and id = h.company_id offset 0) c on true
left join lateral (
  select k.*
  from contacts k
  where k.tenant_id = $1
  and k.company_id = c.id
  and k.deleted_at is null
  order by coalesce(k.id = h.contact_id, false) desc, k.is_primary desc, fold(k.first_name) collate "C", k.id
  limit 1
) k on true
left join invoices i on i.tenant_id = $1
and i.id = h.invoice_id
order by n.at, n.id;

-- change_activity
update activities set contact_id = :contactId, at = :at::timestamptz, kind = :kind, note = :note
where tenant_id = $1
and id = :id;

-- change_identity
update users set name = coalesce(:name, name), email = coalesce(:email, email),
  session_epoch = session_epoch + case when email = :email then 0 when :email is null then 0 else 1 end,
  changed_by = :by, updated_at = moment_after(updated_at)
where tenant_id = $1
and id = :id
and (name <> :name or email <> :email)
returning id;

-- change_planned_call
update planned_calls h set due_on = :due_on::date, contact_id = :contact_id, about = :about, assigned_to = :assigned_to,
  invoice_id = :invoice_id, updated_at = :moment::timestamptz, changed_by = :by
where h.tenant_id = $1
and h.id = :id
and h.deleted_at is null
returning h.id;

-- change_profile
update users set name = coalesce(:name, name), language = case when :isSent then :language else language end,
  theme = coalesce(:theme, theme), changed_by = 'user:' || id::text, updated_at = moment_after(updated_at)
where tenant_id = $1
and id = :id;

-- change_role
update users set role = coalesce(:role, role),
  export_refused_at = case when :mayExport::boolean is null then export_refused_at when :mayExport::boolean then null else coalesce(export_refused_at, moment_after(updated_at)) end, changed_by = :by, updated_at = moment_after(updated_at)
where tenant_id = $1
and id = :id
returning id;

-- change_workspace
update tenants set name = coalesce(:name, name), country = coalesce(:country, country), time_zone = coalesce(:timeZone,
  time_zone)
where id = $1;

-- company_of_invoice_mailed_to_contact_contacted
update companies c set last_contacted_at = greatest(c.last_contacted_at, now())
from invoices m
where m.tenant_id = $1
and m.id = :invoice
and c.tenant_id = $1
and c.id = m.company_id;

-- company_of_mailed_invoice_contacted
update companies c set last_contacted_at = greatest(c.last_contacted_at, now())
from invoices m
where m.tenant_id = $1
and m.id = :invoice
and c.tenant_id = $1
and c.id = m.company_id;

-- company_of_reminder_contacted
update companies c set last_contacted_at = greatest(c.last_contacted_at, now())
from reminders m
where m.tenant_id = $1
and (m.id = :id::bigint or m.mail_id = :mailId::bigint)
and c.tenant_id = $1
and c.id = m.company_id;

-- contact_of_invoice_mailed_to_contact_contacted
update contacts k set last_contacted_at = greatest(k.last_contacted_at, now()), updated_at = moment_after(k.updated_at),
  changed_by = :by
from invoices m
where m.tenant_id = $1
and m.id = :invoice
and k.tenant_id = $1
and k.id = :contactId
and k.deleted_at is null;

-- contact_of_reminder_contacted
update contacts k set last_contacted_at = greatest(k.last_contacted_at, now()), updated_at = moment_after(k.updated_at),
  changed_by = m.changed_by
from reminders m
where m.tenant_id = $1
and (m.id = :id::bigint or m.mail_id = :mailId::bigint)
and k.tenant_id = $1
and k.id = m.contact_id
and k.deleted_at is null;

-- contacts_with_values_by_last_contact
with candidates as materialized (
  with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
    select asked.key, asked.value, (
      select count(*)
      from (
        select 1
        from value_entries v
        where v.tenant_id = $1
        and v.entry = value_entry('contact', asked.key, asked.value)
        limit :most + 1
      ) few
    ) as n
    from asked
  ), rarest as materialized (select key, value, n from counted order by n limit 1)
  select few.id
  from rarest
  cross join lateral (
    select v.record_id as id
    from value_entries v
    where v.tenant_id = $1
    and v.entry = value_entry('contact', rarest.key, rarest.value)
    order by v.record_id
    limit :most
  ) few
)
select k.id, c.id, c.name, (select count(*) from candidates) >= :most
from candidates m
cross join lateral (
  select k.*
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id = m.id
  limit 1
) k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
where (:custom::jsonb is null or k.metadata @> :custom)
order by k.last_contacted_at desc nulls last, k.id desc
limit 1001;

-- contacts_with_values_by_name
with candidates as materialized (
  with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
    select asked.key, asked.value, (
      select count(*)
      from (
        select 1
        from value_entries v
        where v.tenant_id = $1
        and v.entry = value_entry('contact', asked.key, asked.value)
        limit :most + 1
      ) few
    ) as n
    from asked
  ), rarest as materialized (select key, value, n from counted order by n limit 1)
  select few.id
  from rarest
  cross join lateral (
    select v.record_id as id
    from value_entries v
    where v.tenant_id = $1
    and v.entry = value_entry('contact', rarest.key, rarest.value)
    order by v.record_id
    limit :most
  ) few
)
select k.id, c.id, c.name, (select count(*) from candidates) >= :most
from candidates m
cross join lateral (
  select k.*
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id = m.id
  limit 1
) k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
where (:custom::jsonb is null or k.metadata @> :custom)
order by fold(k.first_name || ' ' || k.last_name) collate "C", k.id
limit 1001;

-- count_addresses
select (
  select count(*)
  from addresses k
  where k.tenant_id = $1
  and k.company_id = :parent
  and k.deleted_at is null
)
from companies parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.deleted_at is null;

-- count_addresses_of_all
select (
  select count(*)
  from addresses k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
);

-- count_brief_custom_fields
select count(*)
from custom_fields k
where k.tenant_id = $1
and k.noun = any(:nouns::text[])
and k.archived = :archived::boolean
and k.deleted_at is null;

-- count_broken_promises
select count(*) filter(where (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))) as own, count(*) filter(where (0::bigint is null or coalesce(c.assigned_to, 0) = 0 or (0 = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))) as nobodys, (
  select count(*)
  from (
    select
    from promises p
    where p.tenant_id = $1
    and p.until < :today::date
    limit 10001
  ) n
) > 10000 as is_cut, null as newest
from (
  select p.until, p.company_id
  from promises p
  where p.tenant_id = $1
  and p.until < :today::date
  order by p.until, p.company_id
  limit 10000
) n
cross join lateral (
  select c.assigned_to
  from companies c
  where c.tenant_id = $1
  and c.id = n.company_id
  and c.deleted_at is null
  offset 0
) c
cross join lateral (
  select
  from invoices i
  where i.tenant_id = $1
  and i.company_id = n.company_id
  and i.status = 'issued'
  and (case when i.due_on is null then i.terms_due_on else i.due_on end) < :today::date
  and ((i.total - i.paid) < 0) is not true
  limit 1
) i;

-- count_changes
select count(*)
from changes h
where h.tenant_id = $1
and h.type = :type
and h.resource_id = :resource;

-- count_contacts
select (
  select count(*)
  from contacts k
  where k.tenant_id = $1
  and k.company_id = :parent
  and k.deleted_at is null
)
from companies parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.deleted_at is null;

-- count_contacts_of_all
select (
  select count(*)
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
);

-- count_contacts_of_all_companies
select count(*)
from (
  select
  from (
    select k.*, fold(k.first_name || ' ' || k.last_name) collate "C" as place
    from contacts k
    where k.tenant_id = $1
    and k.deleted_at is null
    order by fold(k.first_name || ' ' || k.last_name) collate "C", k.id
    limit 10000
  ) k
  cross join lateral (
    select c.id, c.name
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) c
  limit :most
) n;

-- count_custom_fields
select count(*)
from custom_fields k
where k.tenant_id = $1
and k.noun = any(:nouns::text[])
and k.archived = :archived::boolean
and k.deleted_at is null;

-- count_deals
select count(*)
from deals r
where r.tenant_id = $1
and r.company_id = :company;

-- count_deliveries
select count(*)
from webhook_deliveries d
where d.tenant_id = $1
and d.webhook_id = :webhook;

-- count_imports
select count(*)
from imports i
where i.tenant_id = $1
and i.state <> 'uploading';

-- count_invoices
select (
  select count(*)
  from invoices k
  where k.tenant_id = $1
  and k.company_id = :parent
)
from companies parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.deleted_at is null;

-- count_invoices_in_need
select count(*)
from (
  select
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  limit :most
) n;

-- count_invoices_of_status
select (
  select count(*)
  from invoices k
  where k.tenant_id = $1
  and k.company_id = :parent
  and (k.status = :status)
)
from companies parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.deleted_at is null;

-- count_invoices_of_status_of_wms_state
select (
  select count(*)
  from invoices k
  where k.tenant_id = $1
  and k.company_id = :parent
  and (k.status = :status)
  and (k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
)
from companies parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.deleted_at is null;

-- count_invoices_of_wms_state
select (
  select count(*)
  from invoices k
  where k.tenant_id = $1
  and k.company_id = :parent
  and (k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
)
from companies parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.deleted_at is null;

-- count_members
select count(*)
from users u
where u.tenant_id = $1;

-- count_offers
select count(*)
from offers r
where r.tenant_id = $1
and r.company_id = :company;

-- count_orders_all
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_all_of_days
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_attention
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  order by i.wms_needs_at desc
  limit :most
) n;

-- count_orders_done
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_done_of_days
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_draft
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status = 'draft'
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_draft_of_days
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status = 'draft'
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_needs
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  and i.wms_shown <> 'to_be_confirmed'
  order by i.wms_needs_at desc
  limit :most
) n;

-- count_orders_overdue
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.due_on is null then i.terms_due_on else i.due_on end) < (
    select (now() at time zone t.time_zone)::date
    from tenants t
    where t.id = $1
  )
  and ((i.total - i.paid) < 0) is not true
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) n;

-- count_orders_owed
select count(*)
from ((
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) union all (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
)) n;

-- count_orders_paid_too_much
select count(*)
from ((
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) union all (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
)) n;

-- count_orders_put_off
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and i.wms_put_off_until is not null
  and i.wms_put_off_until > now()
  order by i.wms_put_off_until
  limit :most
) n;

-- count_orders_shown
select count(*)
from ((
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :shown
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union all (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :other_shown
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) n;

-- count_orders_shown_of_days
select count(*)
from ((
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :shown
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union all (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :other_shown
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) n;

-- count_orders_sold
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_sold_of_days
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status in ('issued', 'paid')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_sold_to
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_sold_to_of_days
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status in ('issued', 'paid')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_to_send
select count(*), (
  select count(*)
  from (
    select
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    limit :most
  ) m
) >= :most
from (
  select i.id, i.issued_on
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.name
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_to_send_of_days
select count(*), (
  select count(*)
  from (
    select
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    limit :most
  ) m
) >= :most
from (
  select i.id, i.issued_on
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.name
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_under_way
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_under_way_of_days
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n;

-- count_orders_unpaid
select count(*)
from (
  select i.id, i.issued_on
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) n;

-- count_payments
select (
  select count(*)
  from payments k
  where k.tenant_id = $1
  and k.invoice_id = :parent
  and k.deleted_at is null
)
from invoices parent
where parent.tenant_id = $1
and parent.id = :parent
and parent.id is not null;

-- count_payments_of_all
select (
  select count(*)
  from payments k
  where k.tenant_id = $1
  and k.deleted_at is null
);

-- count_subscriptions
select count(*)
from subscriptions r
where r.tenant_id = $1
and r.company_id = :company;

-- count_tickets
select count(*)
from tickets r
where r.tenant_id = $1
and r.company_id = :company;

-- count_values_of_companies
with kept as materialized (
  select s.id, s.n, s.asked_at
  from company_value_sums s
  where s.tenant_id = $1
  and s.key = :value_key::text
  and s.value = :value::text
  and s.n is not null
), changed as materialized (
  select coalesce(sum(d.n), 0)::bigint as n, count(*) as changes
  from company_value_changes d
  where d.tenant_id = $1
  and d.sum_id = (select k.id from kept k)
), counted as materialized (
  select count(*) as n
  from value_entries v
  where v.tenant_id = $1
  and v.entry = value_entry('company', :value_key::text, :value::text)
  and not exists (select from kept)
)
select c.total, c.is_due
from (
  select k.n + d.n as total, d.changes > 1000
  or k.asked_at < now() - interval '1 day' as is_due
  from kept k
  cross join changed d
  union all
  select n.n, n.n > 20000
  from counted n
  where not exists (select from kept)
) c;

-- count_webhooks
select count(*)
from webhooks w
where w.tenant_id = $1
and w.deleted_at is null;

-- days_of_orders
with zone as materialized (
  select t.time_zone as name, (now() at time zone t.time_zone)::date as today
  from tenants t
  where t.id = $1
), newest as materialized (
  select c.*
  from changes c
  where c.tenant_id = $1
  and c.at >= (select (z.today - 13)::timestamp at time zone z.name from zone z)
  order by c.at desc, c.id desc
  limit 10000
), moves as materialized (
  select c.resource_id, c.at, coalesce((c.changed::json -> 'wms_order_id' ->> 'to') is not null, false) as is_sent,
    coalesce(lower(c.changed::json -> 'wms_status' ->> 'to') in ('shipped', 'delivered', 'completed',
    'closed') and coalesce(lower(c.changed::json -> 'wms_status' ->> 'from'), '') not in ('shipped', 'delivered',
    'completed', 'closed'), false) as is_shipped
  from newest c
  where c.type = 'invoice'
  and c.action = 'updated'
  and (c.changed like '%"wms_order_id"%' or c.changed like '%"wms_status"%')
), happened as (
  select m.at, m.is_sent::int as sent, m.is_shipped::int as shipped, 0 as failed
  from moves m
  union all
  select f.at, 0, 0, 1
  from (
    select i.wms_moved_at as at
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'refused'
    limit 1000
  ) f
), counted as (
  select (h.at at time zone z.name)::date as day, sum(h.sent) as sent, sum(h.shipped) as shipped,
    sum(h.failed) as failed
  from happened h
  cross join zone z
  where h.at is not null
  group by 1
), since as (
  select case when (select count(*) from newest) < 10000 then z.today - 13 else (select (min(n.at) at time zone z.name)::date + 1 from newest n) end as day, z.today
  from zone z
), times as (
  select i.wms_instance as instance, extract(epoch from s.at - sent.at) as seconds
  from (
    select m.resource_id, min(m.at) as at
    from moves m
    where m.is_shipped
    group by m.resource_id
  ) s
  cross join lateral (
    select c.at
    from changes c
    where c.tenant_id = $1
    and c.resource_id = s.resource_id
    and c.type = 'invoice'
    and c.action = 'updated'
    and c.at <= s.at
    and c.changed like '%"wms_order_id"%'
    order by c.at desc
    limit 1
  ) sent
  cross join lateral (
    select wms_instance
    from invoices
    where tenant_id = $1
    and id = s.resource_id
    offset 0
  ) i
  where i.wms_instance is not null
)
select (
  select json_agg(d order by d.day)
  from (
    select g.day::date::text as day, coalesce(c.sent, 0) as sent, coalesce(c.shipped, 0) as shipped, coalesce(c.failed,
      0) as failed
    from since s
    cross join lateral generate_series(s.day::timestamp, s.today::timestamp, interval '1 day') g(day)
    left join counted c on c.day = g.day::date
  ) d
) as days, (
  select json_agg(w order by w.shipped desc, w.instance)
  from (
    select t.instance, count(*) as shipped, round(percentile_cont(0.5) within group(order by t.seconds)) as median,
      round(max(t.seconds)) as longest
    from times t
    group by t.instance
  ) w
) as warehouses;

-- deep_page_companies
with newest as materialized (
  select blocks, statuses, counts, oldest
  from company_count_sums
  where tenant_id = $1
  order by generation desc
  limit 1
), changed as (
  select block, status, n
  from company_count_changes
  where tenant_id = $1
  and generation >= (select coalesce(max(oldest), 0) from newest)
), blocks as (
  select block, sum(n) as n
  from (
    select block, status, n
    from newest, unnest(blocks, statuses, counts) as summed(block, status, n)
    union all
    select block, status, n
    from changed
  ) counts
  group by block
), running as (select block, sum(n) over (order by block) - n as before from blocks), start as materialized (
  select block, before
  from running
  where before <= :offset
  order by block desc
  limit 1
)
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and id >= (select block * 4096 from start)
  order by id
  limit :limit
  offset(:offset - (select before from start))
))
order by k.id;

-- deep_page_companies_of_status
with newest as materialized (
  select blocks, statuses, counts, oldest
  from company_count_sums
  where tenant_id = $1
  order by generation desc
  limit 1
), changed as (
  select block, status, n
  from company_count_changes
  where tenant_id = $1
  and generation >= (select coalesce(max(oldest), 0) from newest)
), blocks as (
  select block, sum(n) as n
  from (
    select block, status, n
    from newest, unnest(blocks, statuses, counts) as summed(block, status, n)
    union all
    select block, status, n
    from changed
  ) counts
  where status = :status
  group by block
), running as (select block, sum(n) over (order by block) - n as before from blocks), start as materialized (
  select block, before
  from running
  where before <= :offset
  order by block desc
  limit 1
)
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  and id >= (select block * 4096 from start)
  order by id
  limit :limit
  offset(:offset - (select before from start))
))
order by k.id;

-- delete_view
delete
from list_views
where tenant_id = $1
and id = :id
and (user_id = :userId or is_for_all and :isAdmin)
and list = :list
returning id, user_id, is_for_all, list, name, filters;

-- drop_forgotten
delete
from mails m using users u
where u.tenant_id = $1
and u.id = :user
and u.email is distinct
from :unless
and m.tenant_id = $1
and m.kind = 'forgotten-password'
and m.state = 'waiting'
and lower(m.email) = lower(u.email);

-- embedded_addresses
select p.id, k.id, case when k.bytes <= :bytes then k.company_id end, case when k.bytes <= :bytes then k.type end,
  case when k.bytes <= :bytes then k.label end, case when k.bytes <= :bytes then k.address end,
  case when k.bytes <= :bytes then k.city end, case when k.bytes <= :bytes then k.county end,
  case when k.bytes <= :bytes then k.country end, case when k.bytes <= :bytes then k.postal_code end,
  case when k.bytes <= :bytes then k.contact_name end, case when k.bytes <= :bytes then k.phone end,
  case when k.bytes <= :bytes then k.delivery_notes end, case when k.bytes <= :bytes then k.is_default end,
  case when k.bytes <= :bytes then k.created_at end, k.updated_at, case when k.bytes <= :bytes then k.deleted_at end,
  case when k.bytes <= :bytes then k.external end, case when k.bytes > :bytes then k.bytes else 0 end
from unnest(:parents::bigint[]) with ordinality p(id, place)
cross join lateral (
  select k.*, coalesce(octet_length(k.type::text), 0) + coalesce(octet_length(k.label::text),
    0) + coalesce(octet_length(k.address::text), 0) + coalesce(octet_length(k.city::text),
    0) + coalesce(octet_length(k.county::text), 0) + coalesce(octet_length(k.country::text),
    0) + coalesce(octet_length(k.postal_code::text), 0) + coalesce(octet_length(k.contact_name::text),
    0) + coalesce(octet_length(k.phone::text), 0) + coalesce(octet_length(k.delivery_notes::text),
    0) + coalesce(octet_length(k.external::text), 0) as bytes, row_number() over () as place
  from (
    select k.*
    from addresses k
    where k.tenant_id = $1
    and k.company_id = p.id
    and k.deleted_at is null
    order by k.is_default desc, k.id
    limit 101
  ) k
) k
order by p.place, k.place;

-- embedded_contacts
select p.id, k.id, case when k.bytes <= :bytes then k.company_id end, case when k.bytes <= :bytes then k.first_name end,
  case when k.bytes <= :bytes then k.last_name end, case when k.bytes <= :bytes then k.email end,
  case when k.bytes <= :bytes then k.phone end, case when k.bytes <= :bytes then k.mobile end,
  case when k.bytes <= :bytes then k.position end, case when k.bytes <= :bytes then k.department end,
  case when k.bytes <= :bytes then k.job_title end, case when k.bytes <= :bytes then k.is_primary end,
  case when k.bytes <= :bytes then k.is_decision_maker end, case when k.bytes <= :bytes then k.is_accounting end,
  case when k.bytes <= :bytes then k.preferred_language end, case when k.bytes <= :bytes then k.notes end,
  case when k.bytes <= :bytes then k.birth_date end, case when k.bytes <= :bytes then k.gender end,
  case when k.bytes <= :bytes then k.timezone end, case when k.bytes <= :bytes then k.metadata end,
  case when k.bytes <= :bytes then k.last_contacted_at end, case when k.bytes <= :bytes then k.created_at end,
  k.updated_at, case when k.bytes <= :bytes then k.deleted_at end, case when k.bytes <= :bytes then k.external end,
  case when k.bytes > :bytes then k.bytes else 0 end
from unnest(:parents::bigint[]) with ordinality p(id, place)
cross join lateral (
  select k.*, coalesce(octet_length(k.first_name::text), 0) + coalesce(octet_length(k.last_name::text),
    0) + coalesce(octet_length(k.email::text), 0) + coalesce(octet_length(k.phone::text),
    0) + coalesce(octet_length(k.mobile::text), 0) + coalesce(octet_length(k.position::text),
    0) + coalesce(octet_length(k.department::text), 0) + coalesce(octet_length(k.job_title::text),
    0) + coalesce(octet_length(k.preferred_language::text), 0) + coalesce(octet_length(k.notes::text),
    0) + coalesce(octet_length(k.birth_date::text), 0) + coalesce(octet_length(k.gender::text),
    0) + coalesce(octet_length(k.timezone::text), 0) + coalesce(octet_length(k.metadata::text),
    0) + coalesce(octet_length(k.external::text), 0) as bytes, row_number() over () as place
  from (
    select k.*
    from contacts k
    where k.tenant_id = $1
    and k.company_id = p.id
    and k.deleted_at is null
    order by k.is_primary desc, fold(k.first_name) collate "C", k.id
    limit 101
  ) k
) k
order by p.place, k.place;

-- embedded_invoices
select p.id, k.id, case when k.bytes <= :bytes then k.company_id end, case when k.bytes <= :bytes then k.number end,
  case when k.bytes <= :bytes then k.issued_on end, case when k.bytes <= :bytes then k.due_on end,
  case when k.bytes <= :bytes then k.total end, case when k.bytes <= :bytes then k.currency end,
  case when k.bytes <= :bytes then k.status end, case when k.bytes <= :bytes then k.delivery_address_id end,
  case when k.bytes <= :bytes then k.wms_state end, case when k.bytes <= :bytes then k.wms_instance end,
  case when k.bytes <= :bytes then k.wms_order_id end, case when k.bytes <= :bytes then k.wms_order_number end,
  case when k.bytes <= :bytes then k.wms_status end, case when k.bytes <= :bytes then k.wms_synced_at end,
  case when k.bytes <= :bytes then k.wms_error end, case when k.bytes <= :bytes then k.created_at end, k.updated_at,
  case when k.bytes <= :bytes then k.wms_shown end, case when k.bytes <= :bytes then k.wms_needs_at end,
  case when k.bytes <= :bytes then k.wms_settled_at end, case when k.bytes <= :bytes then k.wms_moved_at end,
  case when k.bytes <= :bytes then k.wms_updated_at end, case when k.bytes <= :bytes then k.edited_at end,
  case when k.bytes <= :bytes then k.wms_put_off_until end, case when k.bytes <= :bytes then k.wms_checked_at end,
  case when k.bytes <= :bytes then k.terms_due_on end, case when k.bytes <= :bytes then k.corrects_id end,
  case when k.bytes <= :bytes then k.paid end, case when k.bytes <= :bytes then k.wms_cancel end,
  case when k.bytes <= :bytes then k.wms_cancel_error end, case when k.bytes <= :bytes then k.metadata end,
  case when k.bytes <= :bytes then k.external end, case when k.bytes > :bytes then k.bytes else 0 end
from unnest(:parents::bigint[]) with ordinality p(id, place)
cross join lateral (
  select k.*, coalesce(octet_length(k.number::text), 0) + coalesce(octet_length(k.issued_on::text),
    0) + coalesce(octet_length(k.due_on::text), 0) + coalesce(octet_length(k.total::text),
    0) + coalesce(octet_length(k.currency::text), 0) + coalesce(octet_length(k.status::text),
    0) + coalesce(octet_length(k.wms_state::text), 0) + coalesce(octet_length(k.wms_instance::text),
    0) + coalesce(octet_length(k.wms_order_number::text), 0) + coalesce(octet_length(k.wms_status::text),
    0) + coalesce(octet_length(k.wms_error::text), 0) + coalesce(octet_length(k.wms_shown::text),
    0) + coalesce(octet_length(k.terms_due_on::text), 0) + coalesce(octet_length(k.paid::text),
    0) + coalesce(octet_length(k.wms_cancel::text), 0) + coalesce(octet_length(k.wms_cancel_error::text),
    0) + coalesce(octet_length(k.metadata::text), 0) + coalesce(octet_length(k.external::text), 0) as bytes,
    row_number() over () as place
  from (
    select k.*
    from invoices k
    where k.tenant_id = $1
    and k.company_id = p.id
    and true
    order by k.issued_on desc nulls last, k.id desc
    limit 101
  ) k
) k
order by p.place, k.place;

-- embedded_payments
select p.id, k.id, case when k.bytes <= :bytes then k.invoice_id end, case when k.bytes <= :bytes then k.company_id end,
  case when k.bytes <= :bytes then k.amount end, case when k.bytes <= :bytes then k.paid_on end,
  case when k.bytes <= :bytes then k.means end, case when k.bytes <= :bytes then k.reference end,
  case when k.bytes <= :bytes then k.created_at end, k.updated_at, case when k.bytes <= :bytes then k.external end,
  case when k.bytes > :bytes then k.bytes else 0 end
from unnest(:parents::bigint[]) with ordinality p(id, place)
cross join lateral (
  select k.*, coalesce(octet_length(k.amount::text), 0) + coalesce(octet_length(k.paid_on::text),
    0) + coalesce(octet_length(k.means::text), 0) + coalesce(octet_length(k.reference::text),
    0) + coalesce(octet_length(k.external::text), 0) as bytes, row_number() over () as place
  from (
    select k.*
    from payments k
    where k.tenant_id = $1
    and k.invoice_id = p.id
    and k.deleted_at is null
    order by k.id
    limit 101
  ) k
) k
order by p.place, k.place;

-- end_import
update imports i set state = :state, failure = :failure, finished_at = now()
where i.tenant_id = $1
and i.id = :id
and i.runner = :runner
and i.state in ('checking', 'running', 'undoing')
returning i.id;

-- end_import_step
update imports i set state = :state, failure = :failure
where i.tenant_id = $1
and i.id = :id
and i.runner = :runner
and i.state in ('checking', 'running', 'undoing')
returning i.id;

-- export_addresses
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.label), 0) + coalesce(octet_length(k.address),
    0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county), 0) + coalesce(octet_length(k.country),
    0) + coalesce(octet_length(k.postal_code), 0) + coalesce(octet_length(k.contact_name),
    0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.delivery_notes),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.label), 0) + coalesce(octet_length(k.address),
    0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county), 0) + coalesce(octet_length(k.country),
    0) + coalesce(octet_length(k.postal_code), 0) + coalesce(octet_length(k.contact_name),
    0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.delivery_notes), 0)) as before
  from addresses k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.type, k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name,
  k.phone, k.delivery_notes, k.is_default
from page
join addresses k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_chosen_companies
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.name), 0) + coalesce(octet_length(k.tax_id),
    0) + coalesce(octet_length(k.registration_number), 0) + coalesce(octet_length(k.industry),
    0) + coalesce(octet_length(k.website), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.email),
    0) + coalesce(octet_length(k.address), 0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county),
    0) + coalesce(octet_length(k.country), 0) + coalesce(octet_length(k.postal_code),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.managing_company),
    0) + coalesce(octet_length(k.activity_domain), 0) + coalesce(octet_length(k.fiscal_address),
    0) + coalesce(octet_length(k.delivery_notes), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.name), 0) + coalesce(octet_length(k.tax_id),
    0) + coalesce(octet_length(k.registration_number), 0) + coalesce(octet_length(k.industry),
    0) + coalesce(octet_length(k.website), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.email),
    0) + coalesce(octet_length(k.address), 0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county),
    0) + coalesce(octet_length(k.country), 0) + coalesce(octet_length(k.postal_code),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.managing_company),
    0) + coalesce(octet_length(k.activity_domain), 0) + coalesce(octet_length(k.fiscal_address),
    0) + coalesce(octet_length(k.delivery_notes), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) as before
  from companies k
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  and k.id = any(:ids::bigint[])
  order by k.id
  limit :limit
)
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to, k.notes, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address, k.delivery_notes, k.callback_date, k.payment_days,
  k.credit_limit, coalesce(k.values_text, k.metadata::text) as metadata
from page
join companies k on k.tenant_id = $1
and k.id = page.id
where page.before < 262144
order by k.id;

-- export_chosen_contacts
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.first_name), 0) + coalesce(octet_length(k.last_name),
    0) + coalesce(octet_length(k.email), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.mobile),
    0) + coalesce(octet_length(k.position), 0) + coalesce(octet_length(k.department),
    0) + coalesce(octet_length(k.job_title), 0) + coalesce(octet_length(k.preferred_language),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.gender), 0) + coalesce(octet_length(k.timezone),
    0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.first_name), 0) + coalesce(octet_length(k.last_name),
    0) + coalesce(octet_length(k.email), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.mobile),
    0) + coalesce(octet_length(k.position), 0) + coalesce(octet_length(k.department),
    0) + coalesce(octet_length(k.job_title), 0) + coalesce(octet_length(k.preferred_language),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.gender), 0) + coalesce(octet_length(k.timezone),
    0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)), 0)) as before
  from contacts k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  and k.id = any(:ids::bigint[])
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position, k.department,
  k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language, k.notes, k.birth_date,
  k.gender, k.timezone, coalesce(k.values_text, k.metadata::text) as metadata
from page
join contacts k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_chosen_invoices
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.currency),
    0) + coalesce(octet_length(k.wms_instance), 0) + coalesce(octet_length(k.wms_order_number),
    0) + coalesce(octet_length(k.wms_status), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.currency),
    0) + coalesce(octet_length(k.wms_instance), 0) + coalesce(octet_length(k.wms_order_number),
    0) + coalesce(octet_length(k.wms_status), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) as before
  from invoices k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and k.id = any(array(
    select u.id
    from unnest(:ids::bigint[]) as u(id)
    where u.id > :after
    order by u.id
    limit 10 * :limit::int
  ))
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, coalesce(k.values_text,
  k.metadata::text) as metadata
from page
join invoices k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_companies
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.name), 0) + coalesce(octet_length(k.tax_id),
    0) + coalesce(octet_length(k.registration_number), 0) + coalesce(octet_length(k.industry),
    0) + coalesce(octet_length(k.website), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.email),
    0) + coalesce(octet_length(k.address), 0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county),
    0) + coalesce(octet_length(k.country), 0) + coalesce(octet_length(k.postal_code),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.managing_company),
    0) + coalesce(octet_length(k.activity_domain), 0) + coalesce(octet_length(k.fiscal_address),
    0) + coalesce(octet_length(k.delivery_notes), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.name), 0) + coalesce(octet_length(k.tax_id),
    0) + coalesce(octet_length(k.registration_number), 0) + coalesce(octet_length(k.industry),
    0) + coalesce(octet_length(k.website), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.email),
    0) + coalesce(octet_length(k.address), 0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county),
    0) + coalesce(octet_length(k.country), 0) + coalesce(octet_length(k.postal_code),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.managing_company),
    0) + coalesce(octet_length(k.activity_domain), 0) + coalesce(octet_length(k.fiscal_address),
    0) + coalesce(octet_length(k.delivery_notes), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) as before
  from companies k
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  order by k.id
  limit :limit
)
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to, k.notes, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address, k.delivery_notes, k.callback_date, k.payment_days,
  k.credit_limit, coalesce(k.values_text, k.metadata::text) as metadata
from page
join companies k on k.tenant_id = $1
and k.id = page.id
where page.before < 262144
order by k.id;

-- export_contacts
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.first_name), 0) + coalesce(octet_length(k.last_name),
    0) + coalesce(octet_length(k.email), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.mobile),
    0) + coalesce(octet_length(k.position), 0) + coalesce(octet_length(k.department),
    0) + coalesce(octet_length(k.job_title), 0) + coalesce(octet_length(k.preferred_language),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.gender), 0) + coalesce(octet_length(k.timezone),
    0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.first_name), 0) + coalesce(octet_length(k.last_name),
    0) + coalesce(octet_length(k.email), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.mobile),
    0) + coalesce(octet_length(k.position), 0) + coalesce(octet_length(k.department),
    0) + coalesce(octet_length(k.job_title), 0) + coalesce(octet_length(k.preferred_language),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.gender), 0) + coalesce(octet_length(k.timezone),
    0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)), 0)) as before
  from contacts k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position, k.department,
  k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language, k.notes, k.birth_date,
  k.gender, k.timezone, coalesce(k.values_text, k.metadata::text) as metadata
from page
join contacts k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_contacts_with_values
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.first_name), 0) + coalesce(octet_length(k.last_name),
    0) + coalesce(octet_length(k.email), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.mobile),
    0) + coalesce(octet_length(k.position), 0) + coalesce(octet_length(k.department),
    0) + coalesce(octet_length(k.job_title), 0) + coalesce(octet_length(k.preferred_language),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.gender), 0) + coalesce(octet_length(k.timezone),
    0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.first_name), 0) + coalesce(octet_length(k.last_name),
    0) + coalesce(octet_length(k.email), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.mobile),
    0) + coalesce(octet_length(k.position), 0) + coalesce(octet_length(k.department),
    0) + coalesce(octet_length(k.job_title), 0) + coalesce(octet_length(k.preferred_language),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.gender), 0) + coalesce(octet_length(k.timezone),
    0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)), 0)) as before
  from contacts k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  and (:custom::jsonb is null or k.metadata @> :custom)
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position, k.department,
  k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language, k.notes, k.birth_date,
  k.gender, k.timezone, coalesce(k.values_text, k.metadata::text) as metadata
from page
join contacts k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_deals
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency), 0)) as before
  from deals k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and true
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.number, k.title, k.status, k.amount, k.currency, k.starts_on, k.ends_on
from page
join deals k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_filtered_companies
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.name), 0) + coalesce(octet_length(k.tax_id),
    0) + coalesce(octet_length(k.registration_number), 0) + coalesce(octet_length(k.industry),
    0) + coalesce(octet_length(k.website), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.email),
    0) + coalesce(octet_length(k.address), 0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county),
    0) + coalesce(octet_length(k.country), 0) + coalesce(octet_length(k.postal_code),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.managing_company),
    0) + coalesce(octet_length(k.activity_domain), 0) + coalesce(octet_length(k.fiscal_address),
    0) + coalesce(octet_length(k.delivery_notes), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.name), 0) + coalesce(octet_length(k.tax_id),
    0) + coalesce(octet_length(k.registration_number), 0) + coalesce(octet_length(k.industry),
    0) + coalesce(octet_length(k.website), 0) + coalesce(octet_length(k.phone), 0) + coalesce(octet_length(k.email),
    0) + coalesce(octet_length(k.address), 0) + coalesce(octet_length(k.city), 0) + coalesce(octet_length(k.county),
    0) + coalesce(octet_length(k.country), 0) + coalesce(octet_length(k.postal_code),
    0) + coalesce(octet_length(k.notes), 0) + coalesce(octet_length(k.managing_company),
    0) + coalesce(octet_length(k.activity_domain), 0) + coalesce(octet_length(k.fiscal_address),
    0) + coalesce(octet_length(k.delivery_notes), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) as before
  from companies k
  where k.tenant_id = $1
  and k.id > :after
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or case :orders when 'attention' then exists (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  ) when 'under_way' then exists (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  ) else (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null end)
  order by k.id
  limit :limit
)
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to, k.notes, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address, k.delivery_notes, k.callback_date, k.payment_days,
  k.credit_limit, coalesce(k.values_text, k.metadata::text) as metadata
from page
join companies k on k.tenant_id = $1
and k.id = page.id
where page.before < 262144
order by k.id;

-- export_invoice_lines
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.lines), 0)) over (order by k.id) - (0 + coalesce(octet_length(k.lines),
    0)) as before
  from invoices k
  where k.tenant_id = $1
  and k.id > :after
  and k.lines is not null
  and exists (
    select
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
  )
  order by k.id
  limit :limit
)
select k.id, k.number, line.position, line.sku, line.description, line.quantity, line.unit_price, line.unit,
  line.vat_rate
from page
join invoices k on k.tenant_id = $1
and k.id = page.id
cross join lateral json_to_recordset(k.lines::json) as line(position text, sku text, description text, quantity text,
  unit_price text, unit text, vat_rate text)
where page.before < 262144
order by k.id, line.position::bigint;

-- export_invoices
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.currency),
    0) + coalesce(octet_length(k.wms_instance), 0) + coalesce(octet_length(k.wms_order_number),
    0) + coalesce(octet_length(k.wms_status), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.currency),
    0) + coalesce(octet_length(k.wms_instance), 0) + coalesce(octet_length(k.wms_order_number),
    0) + coalesce(octet_length(k.wms_status), 0) + coalesce(octet_length(coalesce(k.values_text, k.metadata::text)),
    0)) as before
  from invoices k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and true
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, coalesce(k.values_text,
  k.metadata::text) as metadata
from page
join invoices k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_offers
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency), 0)) as before
  from offers k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and true
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.number, k.title, k.status, k.amount, k.currency, k.starts_on, k.ends_on
from page
join offers k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_payments
select k.id, i.number, k.amount, k.paid_on, k.means, k.reference, null, null
from payments k
join invoices i on i.tenant_id = $1
and i.id = k.invoice_id
where k.tenant_id = $1
and k.id > :after
and k.deleted_at is null
order by k.id
limit :limit;

-- export_subscriptions
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency), 0)) as before
  from subscriptions k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and true
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.number, k.title, k.status, k.amount, k.currency, k.starts_on, k.ends_on
from page
join subscriptions k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- export_tickets
with page as materialized (
  select k.id, sum(0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency),
    0)) over (order by k.id) - (0 + coalesce(octet_length(k.number), 0) + coalesce(octet_length(k.title),
    0) + coalesce(octet_length(k.status), 0) + coalesce(octet_length(k.currency), 0)) as before
  from tickets k
  cross join lateral (
    select c.id, c.tax_id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where k.tenant_id = $1
  and k.id > :after
  and true
  order by k.id
  limit :limit
)
select k.id, c.id, c.tax_id, k.number, k.title, k.status, k.amount, k.currency, k.starts_on, k.ends_on
from page
join tickets k on k.tenant_id = $1
and k.id = page.id
cross join lateral (
  select c.id, c.tax_id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  offset 0
) c
where page.before < 262144
order by k.id;

-- feed_position
select 1
from feed f
where f.tenant_id = $1
and f.position = greatest(:position::bigint, 1)
and (:position::bigint = 0 or f.at = :at::timestamptz)
union all
select 1
from feed_ticks t
where t.tenant_id = $1
and :position::bigint = 0
and t.position = 0;

-- find_alike
select distinct c.of_id, c.id, c.name, c.tax_id, c.phone, c.email, c.city
from companies_with_keys(:ids::bigint[], :numbers::text[], :phones::text[], :nameKeys::text[], :domains::text[], 20) c
where $1::bigint is not null;

-- find_credit
with o as materialized ((
  select i.id, (i.total - i.paid) as rest, i.currency,
    (case when i.due_on is null then i.terms_due_on else i.due_on end) as due
  from (
    select *
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company
    and i.status = 'issued'
    order by i.issued_on desc nulls last, i.id desc
  ) i
) union all select :invoice::bigint, :total::numeric, :currency::text,
  null::date where not exists (select from invoices i where i.tenant_id = $1 and i.id = :invoice::bigint))
select c.credit_limit, coalesce(s.owed, 0), s.owed > c.credit_limit,
  case when (:today::date - s.since) > 30 then :today::date - s.since end, (
  select json_agg(l order by l.since)
  from (
    select sum(o.rest)::text as amount, o.currency, min(o.due) as since
    from o
    where o.rest > 0
    and o.due < :today::date
    group by o.currency
  ) l
)
from companies c
cross join lateral (
  select sum(o.rest) filter(where o.currency is not distinct from :currency::text or o.id = :invoice::bigint) as owed,
    min(o.due) filter(where o.rest > 0) as since
  from o
) s
where c.tenant_id = $1
and c.id = :company;

-- find_due
select i.id, i.number, i.wms_order_id, i.wms_status
from invoices i
where i.tenant_id = $1
and i.company_id = :company
and i.wms_instance = :instance
and coalesce(i.wms_via, i.company_id) = :sender
and i.wms_order_id is not null
and i.wms_poll_at <= now()
order by i.wms_poll_at, i.id
limit :limit;

-- find_live_session
select s.awaits_code, floor(extract(epoch from s.last_seen_at) * 1000), u.id, u.name, u.email, u.role,
  (u.export_refused_at is null or u.role = 'admin'), u.language, u.theme, t.slug, t.name, t.country, t.time_zone
from sessions s
join users u on u.tenant_id = s.tenant_id
and u.id = s.user_id
join tenants t on t.id = s.tenant_id
where s.tenant_id = $1
and s.id = :id
and s.token_hash = :hash
and s.created_at > to_timestamp(:createdAfter::double precision / 1000)
and s.last_seen_at > to_timestamp(:seenAfter::double precision / 1000)
and (not s.awaits_code or s.created_at > to_timestamp(:awaitingSince::double precision / 1000))
and u.deactivated_at is null
and u.session_epoch = s.user_epoch
and t.suspended_at is null
and t.session_epoch = s.tenant_epoch;

-- find_next_call
select c.id, c.name, h.due_on
from (
  select n.id
  from (
    select h.id, h.company_id, h.assigned_to, h.due_on
    from planned_calls h
    where h.tenant_id = $1
    and h.deleted_at is null
    and h.due_on > :today::date
    order by h.due_on, h.id
    limit 10000
  ) n
  cross join lateral (
    select coalesce(n.assigned_to, c.assigned_to) as assigned_to
    from companies c
    where c.tenant_id = $1
    and c.id = n.company_id
    and c.deleted_at is null
    offset 0
  ) c
  where (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  order by n.due_on, n.id
  limit 1
) n
cross join lateral (select * from planned_calls where tenant_id = $1 and id = n.id offset 0) h
cross join lateral (select * from companies where tenant_id = $1 and id = h.company_id offset 0) c;

-- find_open_invitation
select t.slug, t.name, i.email, i.role, f.name,
  exists (select from single_sign_on s where s.tenant_id = $1 and s.sso_only)
from invitations i
join tenants t on t.id = i.tenant_id
left join users u on u.tenant_id = i.tenant_id
and u.id = i.invited_by
left join users f on f.tenant_id = i.tenant_id
and f.id = i.for_user
where i.tenant_id = $1
and i.id = :id
and i.token_hash = :hash
and i.accepted_at is null
and i.revoked_at is null
and i.expires_at > to_timestamp(:time::double precision / 1000)
and (i.invited_by is null or u.role = 'admin' and u.deactivated_at is null)
and t.suspended_at is null
and (i.for_user is null or f.deactivated_at is null and lower(f.email) = lower(i.email) and not exists (
  select
  from single_sign_on s
  where s.tenant_id = $1
  and s.sso_only
  and (s.sso_break_glass is distinct from f.id or f.totp_confirmed_at is null)
));

-- find_stored_answer
select encode(request, 'hex'), at, status, resource_id, secret
from kept_answers
where tenant_id = $1
and api_key_id = :apiKey
and key = :key;

-- find_user_by_link
select u.id, u.email, u.name, u.role, u.deactivated_at is not null, u.session_epoch
from single_sign_on_links l
join users u on u.tenant_id = $1
and u.id = l.user_id
where l.tenant_id = $1
and l.issuer = :issuer
and l.subject = :subject;

-- find_view
select id, user_id, is_for_all, list, name, filters
from list_views
where tenant_id = $1
and id = :id
and (user_id = :userId or is_for_all and :isAdmin)
and list = :list;

-- ids_for_file
select i.id
from invoices i
where i.tenant_id = $1
and i.id > :after
order by i.id
limit :limit;

-- ids_of_all_contacts
select k.id
from contacts k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
where k.tenant_id = $1
and k.deleted_at is null
and k.id > :after
and (:custom::jsonb is null or k.metadata @> :custom)
order by k.id
limit :limit;

-- ids_of_filtered_companies
select k.id
from companies k
where k.tenant_id = $1
and k.id > :after
and k.deleted_at is null
and (:search::text is null or k.search_text like (select search_pattern(:search)))
and (:status::text is null or k.status = :status)
and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
and (:custom::jsonb is null or k.metadata @> :custom)
and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
  0) = 0 or (0 = 0 and k.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
))))
and (:callback::date is null or k.callback_date <= :callback)
and (:orders::text is null or case :orders when 'attention' then exists (
  select
  from invoices i
  where i.tenant_id = $1
  and i.company_id = k.id
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
) when 'under_way' then exists (
  select
  from invoices i
  where i.tenant_id = $1
  and i.company_id = k.id
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
) else (
  select i.id
  from invoices i
  where i.tenant_id = $1
  and i.company_id = k.id
  and i.wms_order_id is not null
  order by i.company_id, i.wms_synced_at desc nulls last, i.id
  limit 1
) is null end)
order by k.id
limit :limit;

-- ids_of_orders_all
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
  i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id from (
  with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
    select asked.key, asked.value, (
      select count(*)
      from (
        select 1
        from value_entries v
        where v.tenant_id = $1
        and v.entry = value_entry('invoice', asked.key, asked.value)
        limit :most + 1
      ) few
    ) as n
    from asked
  ), rarest as materialized (select key, value, n from counted order by n limit 1)
  select few.id
  from rarest
  cross join lateral (
    select v.record_id as id
    from value_entries v
    where v.tenant_id = $1
    and v.entry = value_entry('invoice', rarest.key, rarest.value)
    order by v.record_id
    limit :most
  ) few
) v join invoices i on i.tenant_id = $1 and i.id = v.id union select i.id, i.company_id, i.issued_on, i.due_on,
  i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance, i.wms_order_id,
  i.wms_order_number, i.status,
  i.delivery_address_id from invoices i where i.tenant_id = $1 and i.number = :search union select i.id, i.company_id,
  i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance,
  i.wms_order_id, i.wms_order_number, i.status,
  i.delivery_address_id from invoices i where i.tenant_id = $1 and i.wms_order_id = case when :search ~ '^[0-9]{1,18}$' then :search::bigint end) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_all_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_attention
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  order by i.wms_needs_at desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_done
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_done_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_draft
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status = 'draft'
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_draft_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status = 'draft'
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_needs
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  and i.wms_shown <> 'to_be_confirmed'
  order by i.wms_needs_at desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_overdue
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.due_on is null then i.terms_due_on else i.due_on end) < (
    select (now() at time zone t.time_zone)::date
    from tenants t
    where t.id = $1
  )
  and ((i.total - i.paid) < 0) is not true
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_owed
select i.id
from (((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) union all (
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
))) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_paid_too_much
select i.id
from (((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) union all (
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
))) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_put_off
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and i.wms_put_off_until is not null
  and i.wms_put_off_until > now()
  order by i.wms_put_off_until
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_shown
select i.id
from (((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :shown
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union all (
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :other_shown
  order by i.issued_on desc nulls last, i.id desc
  limit :most
))) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_shown_of_days
select i.id
from (((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :shown
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union all (
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :other_shown
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
))) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_sold
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_sold_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status in ('issued', 'paid')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_sold_to
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_sold_to_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status in ('issued', 'paid')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_to_send
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.name
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_to_send_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.name
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_under_way
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_under_way_of_days
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- ids_of_orders_unpaid
select i.id
from ((
  select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
)) i
left join lateral (
  select assigned_to, search_text, address, name
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
  offset 0
) c on true
where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
and (:instance::text is null or i.wms_instance = :instance)
and (:assigned_to::bigint is null or coalesce(c.assigned_to,
  0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
  select u.id
  from users u
  where u.tenant_id = $1
  and u.deactivated_at is not null
)))
and (:company::bigint is null or i.company_id = :company::bigint)
and (:currency::text is null or i.currency = :currency)
and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity') >= :due_from::date)
and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
and (:sku::text is null or exists (
  select
  from invoices s
  cross join lateral json_array_elements(s.lines::json) l
  where s.tenant_id = $1
  and s.id = i.id
  and l ->> 'sku' = :sku
))
and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address),
  '') is null and not exists (
  select
  from addresses a
  where a.tenant_id = $1
  and a.company_id = i.company_id
  and a.deleted_at is null
  and (a.id = i.delivery_address_id or a.type = 'delivery')
)))
and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
limit :limit
offset :offset;

-- import_counted
update imports i set total = :total, unknown_words = :words, reading = :reading, created = 0, updated = 0,
  unchanged = 0, rejected = 0
where i.tenant_id = $1
and i.id = :id
and i.runner = :runner
and i.state in ('checking', 'running', 'undoing')
returning i.id;

-- import_progress
update imports i set created = i.created + :created, updated = i.updated + :updated,
  unchanged = i.unchanged + :unchanged, rejected = i.rejected + :rejected, next_line = greatest(i.next_line, :nextLine)
where i.tenant_id = $1
and i.id = :id
and i.runner = :runner
and i.state in ('checking', 'running', 'undoing')
returning i.id;

-- import_undone
update imports i set deleted = i.deleted + :deleted, restored = i.restored + :restored, kept = i.kept + :kept
where i.tenant_id = $1
and i.id = :id
and i.runner = :runner
and i.state in ('checking', 'running', 'undoing')
returning i.id;

-- import_uploaded
update imports set kind = :kind, bytes = :bytes, encoding = :encoding, delimiter = :delimiter,
  clears_empty = :clearsEmpty, columns = :columns, language = :language, reading = :rest, state = :state
where tenant_id = $1
and id = :id
returning id;

-- insert_activity
insert into activities(tenant_id, company_id, contact_id, at, kind, note, changed_by, callback_date, told_at) values($1,
  :companyId, :contactId, :at::timestamptz, :kind, :note, :by, :next::date, :told::timestamptz)
returning at;

-- insert_api_key
insert into api_keys(tenant_id, name, key_hash, prefix, last4, capabilities, expires_at, allow_ip, rate, created_by,
  changed_by, confirms_on_page) values($1, :name, :hash, :prefix, :last4, :capabilities, :expiresAt, :allowIp, :rate,
  :createdBy, :changedBy, :confirmsOnPage)
returning id, expires_at;

-- insert_change
insert into imports(tenant_id, kind, file_name, reading, state, total, created_by, started_by, started_at,
  finished_at) values($1, :kind, :title, :reading, 'done', :total, :userId, :userId, now(), now())
returning id;

-- insert_invitation
insert into invitations(tenant_id, email, role, token_hash, invited_by, created_at, expires_at, changed_by, for_user,
  updated_at) values($1, :email, :role, :hash, :invitedBy, to_timestamp(:createdAt::double precision / 1000),
  to_timestamp(:expiresAt::double precision / 1000), :by, :forUser, now()) on conflict(tenant_id, lower(email))
where accepted_at is null
and revoked_at is null do update set email = excluded.email, role = excluded.role, token_hash = excluded.token_hash,
  invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at,
  changed_by = excluded.changed_by, for_user = excluded.for_user, updated_at = moment_after(invitations.updated_at)
returning id;

-- insert_list_view
insert into list_views(tenant_id, user_id, is_for_all, name, filters, list)
select $1, :userId, :isForAll, :name, :filters, :list
where case when :isForAll then (select count(*) from list_views where tenant_id = $1 and is_for_all) else (
  select count(*)
  from list_views
  where tenant_id = $1
  and user_id = :userId
  and not is_for_all
) end < :most
returning id;

-- insert_passkey
insert into passkeys(tenant_id, user_id, name, credential_id, public_key, user_handle, counter, transports, verifies)
select $1, :user::bigint, :name, :id, :publicKey, :handle, :counter::bigint, :transports, :verifies::boolean
where (
  select count(*)
  from passkeys
  where tenant_id = $1
  and user_id = :user::bigint
) < 50 on conflict(tenant_id, credential_id) do nothing
returning id;

-- insert_planned_call
insert into planned_calls(tenant_id, company_id, due_on, contact_id, about, assigned_to, invoice_id, created_at,
  updated_at, planned_by, changed_by) values($1, :companyId, :due_on::date, :contact_id, :about, :assigned_to,
  :invoice_id, :moment::timestamptz, :moment::timestamptz, :by, :by)
returning id;

-- insert_reminder
insert into reminders(tenant_id, company_id, contact_id, mail_id, level, changed_by, state, ended_at) values($1,
  :companyId, :contactId, :mailId, :level, :by, case when :mailId::bigint is null then 'sent' else 'waiting' end,
  case when :mailId::bigint is null then current_timestamp end)
returning id;

-- insert_session
insert into sessions(tenant_id, user_id, token_hash, tenant_epoch, user_epoch, awaits_code, address, user_agent,
  created_at, last_seen_at, signed_in_by, provider_session) values($1, :userId, :hash, :tenantEpoch, :userEpoch,
  :awaitsCode, :address, :userAgent, to_timestamp(:time::double precision / 1000),
  to_timestamp(:time::double precision / 1000), :way, :session);

-- insert_single_sign_on
insert into single_sign_on(tenant_id, sso_issuer, sso_client_id, sso_domains, sso_trusts_addresses, sso_admits_domains,
  sso_groups_claim, sso_admin_group, changed_by, sso_client_secret, sso_scopes) values($1, :issuer, :clientId, :domains,
  :trustsAddresses, :admitsDomains, :groupsClaim, :adminGroup, :by, :secret, :scopes) on conflict(tenant_id) do nothing
returning id;

-- insert_user
insert into users(tenant_id, email, name, role, password_hash, changed_by) values($1, :email, :name, :role,
  :passwordHash, :by) on conflict(tenant_id, lower(email)) do nothing
returning id, email, name, role;

-- insert_webhook
insert into webhooks as w(tenant_id, secret, position, url, types, active, description, body, children,
  changed_by) values($1, :secret, :position, :url, :types, :active, :description, :body, :children, :changed_by)
returning w.id, w.url, w.types, w.active, w.description, w.failing_since, w.switched_off, w.created_at, w.updated_at,
  w.body, w.children;

-- invitation_of_address
select 1, i.invited_by
from invitations i
where i.tenant_id = $1
and lower(i.email) = lower(:email)
and i.accepted_at is null
and i.revoked_at is null
and i.for_user is null
and i.expires_at > to_timestamp(:time::double precision / 1000);

-- invoices_of_company_to_push
select i.id, i.number, i.wms_state, i.status,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_subdomain from workspace_warehouses w where w.tenant_id = $1) else c.wms_subdomain end), coalesce(i.wms_open_since, (case when ((select lost.orders_lost_at from tenants lost where lost.id = $1) > greatest(i.created_at, i.wms_absent_at)) is true and exists (
  select
  from companies owner
  where owner.tenant_id = $1
  and owner.id = any(array(
    with recursive one(id) as (
      select i.company_id
      union
      select other.id
      from one
      cross join lateral (
        select m.from_id as id
        from merges m
        where m.tenant_id = $1
        and m.type = 'company'
        and m.kept_id = one.id
        union all
        select m.kept_id
        from merges m
        where m.tenant_id = $1
        and m.type = 'company'
        and m.from_id = one.id
        offset 0
      ) other
    )
    select one.id
    from one
  ))
  and (owner.wms_subdomain is not null or exists (select from workspace_warehouses w where w.tenant_id = $1) or exists (
    select
    from changes change
    where change.tenant_id = $1
    and change.type = 'company'
    and change.resource_id = owner.id
    and change.changed like '%"wms_subdomain":%'
  ))
) then (select lost.orders_lost_at from tenants lost where lost.id = $1) end)) is not null
from invoices i
join companies c on c.tenant_id = $1
and c.id = case when i.wms_via is null then i.company_id else i.wms_via end
and (c.deleted_at is null or i.wms_via is not null)
where i.tenant_id = $1
and i.company_id = :company
and i.wms_state in ('not_sent', 'failed')
and i.id > :after
order by i.id
limit :limit;

-- invoices_to_push
select i.id, i.number, i.wms_state, i.status,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_subdomain from workspace_warehouses w where w.tenant_id = $1) else c.wms_subdomain end), coalesce(i.wms_open_since, (case when ((select lost.orders_lost_at from tenants lost where lost.id = $1) > greatest(i.created_at, i.wms_absent_at)) is true and exists (
  select
  from companies owner
  where owner.tenant_id = $1
  and owner.id = any(array(
    with recursive one(id) as (
      select i.company_id
      union
      select other.id
      from one
      cross join lateral (
        select m.from_id as id
        from merges m
        where m.tenant_id = $1
        and m.type = 'company'
        and m.kept_id = one.id
        union all
        select m.kept_id
        from merges m
        where m.tenant_id = $1
        and m.type = 'company'
        and m.from_id = one.id
        offset 0
      ) other
    )
    select one.id
    from one
  ))
  and (owner.wms_subdomain is not null or exists (select from workspace_warehouses w where w.tenant_id = $1) or exists (
    select
    from changes change
    where change.tenant_id = $1
    and change.type = 'company'
    and change.resource_id = owner.id
    and change.changed like '%"wms_subdomain":%'
  ))
) then (select lost.orders_lost_at from tenants lost where lost.id = $1) end)) is not null
from invoices i
join companies c on c.tenant_id = $1
and c.id = case when i.wms_via is null then i.company_id else i.wms_via end
and (c.deleted_at is null or i.wms_via is not null)
where i.tenant_id = $1
and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
and i.wms_state in ('not_sent', 'failed')
and i.id > :after
order by i.id
limit :limit;

-- keep_company_keys
insert into company_keys(tenant_id, company_id, name_key, domain, compared)
select $1::bigint, k.*
from unnest(:ids::bigint[], :nameKeys::text[], :domains::text[], :digests::bigint[]) as k on conflict(tenant_id,
  company_id) do update set name_key = excluded.name_key, domain = excluded.domain, compared = excluded.compared
returning company_id;

-- keep_planned_call
update planned_calls h set deleted_at = null, updated_at = :moment::timestamptz, changed_by = :by
where h.tenant_id = $1
and h.id = :id
and h.company_id = :companyId
and h.deleted_at is not null
returning h.id;

-- leave_connection
update companies set wms_subdomain = null, wms_api_key = null, wms_send_automatically = false, wms_key_set_at = null,
  wms_key_set_by = null, wms_key_refused_at = null, wms_contact = null, wms_never = :isNever, changed_by = :by,
  updated_at = moment_after(updated_at)
where tenant_id = $1
and id = :id
and deleted_at is null
and (wms_subdomain is not null or wms_api_key is not null or wms_never <> :isNever)
returning id;

-- list_activities
with seen as materialized (
  select h.id, h.at, h.kind, h.changed_by
  from activities h
  where h.tenant_id = $1
  and (h.at, h.id) < (least(:at::timestamptz, (:to::date + 1)::timestamp at time zone :time_zone),
    case when (:to::date + 1)::timestamp at time zone :time_zone < :at::timestamptz then 0 else :id::bigint end)
  and h.at >= coalesce(:from::date::timestamp at time zone :time_zone, '-infinity')
  order by h.at desc, h.id desc
  limit :most
), last as (
  select (select count(*) from seen) as looked, at, id
  from seen
  order by at, id
  limit 1
), found as (
  select h.id
  from seen h
  where true
  and (:kind::text is null or h.kind = :kind)
  and (:by::text is null or (h.changed_by in (:by, replace(:by, 'key:', 'mcp:')) or starts_with(h.changed_by,
    replace(:by, 'key:', 'mcp:') || ':')))
  order by h.at desc, h.id desc
  limit :found
)
select s.looked, s.at, s.id, h.id, h.at, h.kind, h.note, h.changed_by, case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end, h.company_id, c.name, c.deleted_at is null, h.callback_date, h.contact_id, k.first_name || ' ' || k.last_name,
  k.deleted_at is null
from last s
left join found f on true
left join activities h on h.tenant_id = $1
and h.id = f.id
left join companies c on c.tenant_id = $1
and c.id = h.company_id
left join contacts k on k.tenant_id = $1
and k.id = h.contact_id
order by h.at desc, h.id desc;

-- list_addresses
select k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name,
  k.phone, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at,
  k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from addresses k
where k.tenant_id = $1
and k.company_id = :parent
and k.deleted_at is null
order by k.is_default desc, k.id
limit :limit
offset :offset;

-- list_addresses_of_all
select k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name,
  k.phone, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at,
  k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from addresses k
where k.tenant_id = $1
and k.deleted_at is null
and (
  select c.id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) is not null
order by k.id
limit :limit
offset :offset;

-- list_brief_custom_fields
select k.id, k.noun, k.label, k.kind, k.key
from custom_fields k
where k.tenant_id = $1
and k.noun = any(:nouns::text[])
and k.archived = :archived::boolean
and k.deleted_at is null
order by k.noun, k.position, k.id
limit :limit
offset :offset;

-- list_changes
select h.id, h.at, case when h.type in ('hidden_contact', 'hidden_address') then replace(h.type, 'hidden_',
  '') else h.type end, h.resource_id, case when h.type in ('hidden_contact',
  'hidden_address') then h.changed::json ->> 'company_id' else h.company_id::text end, h.action,
  case when h.type in ('hidden_contact',
  'hidden_address') then '{}' else case when octet_length(h.changed) <= 8192 then h.changed end end, h.changed_by,
  case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end, case when octet_length(h.changed) > 8192 then octet_length(h.changed) else 0 end
from changes h
where h.tenant_id = $1
and h.type = :type
and h.resource_id = :resource
order by h.at desc, h.id desc
limit :limit
offset :offset;

-- list_company_history
with seen as materialized (
  select h.id, h.at, h.type, h.action, h.changed_by
  from changes h
  where h.tenant_id = $1
  and h.company_id >= :value::bigint
  and (h.company_id, h.at, h.id) < (:value::bigint, least(:at::timestamptz,
    (:to::date + 1)::timestamp at time zone :time_zone),
    case when (:to::date + 1)::timestamp at time zone :time_zone < :at::timestamptz then 0 else :id::bigint end)
  and h.at >= coalesce(:from::date::timestamp at time zone :time_zone, '-infinity')
  order by h.company_id desc, h.at desc, h.id desc
  limit :most
), last as (
  select (select count(*) from seen) as looked, at, id
  from seen
  order by at, id
  limit 1
), found as (
  select h.id
  from seen h
  where h.type not in ('hidden_contact', 'hidden_address')
  and (:type::text is null or h.type = :type)
  and (:action::text is null or h.action = :action)
  and (:by::text is null or (h.changed_by in (:by, replace(:by, 'key:', 'mcp:')) or starts_with(h.changed_by,
    replace(:by, 'key:', 'mcp:') || ':')))
  order by h.at desc, h.id desc
  limit :found
)
select s.looked, s.at, s.id, h.id, h.at, h.type, h.action, case when octet_length(h.changed) <= 8192 then h.changed end,
  h.changed_by, case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end, coalesce(p.invoice_id, h.resource_id),
  case h.type when 'company' then c.name when 'planned_call' then c.name when 'contact' then k.first_name || ' ' || k.last_name when 'address' then coalesce(a.label, a.address) when 'connection' then c.name when 'user' then (select u.name from users u where u.tenant_id = $1 and u.id = h.resource_id) when 'invitation' then (
  select n.email
  from invitations n
  where n.tenant_id = $1
  and n.id = h.resource_id
) when 'api_key' then (
  select y.name
  from api_keys y
  where y.tenant_id = $1
  and y.id = h.resource_id
) when 'webhook' then (
  select b.url
  from webhooks b
  where b.tenant_id = $1
  and b.id = h.resource_id
) when 'custom_field' then (
  select f.label
  from custom_fields f
  where f.tenant_id = $1
  and f.id = h.resource_id
) when 'workspace' then (select t.name from tenants t where t.id = $1) when 'payment' then b.number else i.number end,
  c.deleted_at is null
and case h.type when 'contact' then k.deleted_at is null when 'address' then a.deleted_at is null else true end,
  h.company_id, c.name, c.deleted_at is null, h.type in ('company', 'planned_call')
and (exists (
  select
  from activities v
  where v.tenant_id = $1
  and v.company_id = h.company_id
  and v.told_at = h.at
) or h.type = 'planned_call' and not h.changed ~ '"(contact_id|about|assigned_to|invoice_id)"' and exists (
  select
  from changes g
  where g.tenant_id = $1
  and g.company_id = h.company_id
  and g.at = h.at
  and g.type = 'company'
) or h.changed ~ '^{"callback_date":[^{}]*{[^{}]*}}$' and exists (
  select
  from changes g
  where g.tenant_id = $1
  and g.company_id = h.company_id
  and g.at = h.at
  and g.type = 'planned_call'
  and g.changed ~ '"(contact_id|about|assigned_to|invoice_id)"'
)), q.due_on, p.amount, coalesce(b.currency, i.currency), coalesce(i.wms_order_number, i.wms_order_id::text),
  case when i.wms_gone_at <= h.at then 'missing' when lower(i.wms_status) in ('cancelled',
  'canceled') then 'cancelled' end,
  case h.type when 'workspace' then (select w.wms_subdomain from workspace_warehouses w where w.tenant_id = $1) else c.wms_subdomain end
from last s
left join found f on true
left join changes h on h.tenant_id = $1
and h.id = f.id
left join companies c on c.tenant_id = $1
and c.id = h.company_id
left join contacts k on k.tenant_id = $1
and k.id = h.resource_id
and h.type = 'contact'
left join addresses a on a.tenant_id = $1
and a.id = h.resource_id
and h.type = 'address'
left join planned_calls q on q.tenant_id = $1
and q.id = h.resource_id
and h.type = 'planned_call'
left join payments p on p.tenant_id = $1
and p.id = h.resource_id
and h.type = 'payment'
left join invoices b on b.tenant_id = $1
and b.id = p.invoice_id
left join invoices i on i.tenant_id = $1
and i.id = h.resource_id
and h.type = 'invoice'
order by h.at desc, h.id desc;

-- list_contacts
select k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position, k.department, k.job_title,
  k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from contacts k
where k.tenant_id = $1
and k.company_id = :parent
and k.deleted_at is null
order by k.is_primary desc, fold(k.first_name) collate "C", k.id
limit :limit
offset :offset;

-- list_contacts_of_all
select k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position, k.department, k.job_title,
  k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from contacts k
where k.tenant_id = $1
and k.deleted_at is null
and (
  select c.id
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) is not null
order by k.id
limit :limit
offset :offset;

-- list_custom_fields
select k.id, k.noun, k.key, k.label, k.kind, k.options, k.help, k.position, k.archived, k.archived_at, k.created_at,
  k.updated_at
from custom_fields k
where k.tenant_id = $1
and k.noun = any(:nouns::text[])
and k.archived = :archived::boolean
and k.deleted_at is null
order by k.noun, k.position, k.id
limit :limit
offset :offset;

-- list_deals
select r.number, r.title, r.status, r.amount, r.currency, r.starts_on
from deals r
where r.tenant_id = $1
and r.company_id = :company
order by r.id desc
limit :limit
offset :offset;

-- list_deliveries
select d.id, d.change_id, d.type, d.attempts, d.last_status, d.last_error, d.delivered_at, case when d.state = 'waiting'
and d.round = w.round then coalesce(d.next_at, (
  select b.next_at
  from webhook_deliveries b
  where b.tenant_id = $1
  and b.webhook_id = d.webhook_id
  and b.round = d.round
  and b.resource >= d.resource
  and b.resource <= d.resource
  and b.state = 'waiting'
  order by b.resource, b.id
  limit 1
)) end, d.created_at, d.last_ms, d.test_id
from webhook_deliveries d
join webhooks w on w.tenant_id = $1
and w.id = d.webhook_id
where d.tenant_id = $1
and d.webhook_id = :webhook
order by d.id desc
limit :limit
offset :offset;

-- list_failed
select i.id
from invoices i
where i.tenant_id = $1
and i.wms_state = 'failed'
and i.id > :after
and (:number::text is null or i.number = :number)
order by i.id
limit :limit;

-- list_few_addresses
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from addresses k
      where k.tenant_id = $1
      and k.id = few.id
      and k.company_id = :parent
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:words::text is null or fold(concat_ws(' ', k.label, k.address, k.city)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
), page as materialized (
  select k.*
  from found k
  order by k.is_default desc, k.id
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country,
  k.postal_code, k.contact_name, k.phone, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end,
  k.is_default, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from (
  select
  from companies parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.deleted_at is null
) parent
left join page k on true
order by k.is_default desc, k.id;

-- list_few_addresses_of_all
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from addresses k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      and (
        select c.id
        from companies c
        where c.tenant_id = $1
        and c.id = k.company_id
        and c.deleted_at is null
        limit 1
      ) is not null
      limit 1
    ) k
  ) k
  where (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
), page as materialized (select k.* from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country,
  k.postal_code, k.contact_name, k.phone, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end,
  k.is_default, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from (select) parent
left join page k on true
order by k.id;

-- list_few_companies_by_id
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (select k.* from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join page k on true
order by k.id;

-- list_few_companies_by_id_down
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (select k.* from found k order by k.id desc limit :limit offset :offset)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join page k on true
order by k.id desc;

-- list_few_companies_by_name
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (
  select k.*
  from found k
  order by k.search_text collate "C", k.id
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join page k on true
order by k.search_text collate "C", k.id;

-- list_few_companies_by_name_down
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (
  select k.*
  from found k
  order by k.search_text collate "C" desc, k.id desc
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join page k on true
order by k.search_text collate "C" desc, k.id desc;

-- list_few_contacts
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from contacts k
      where k.tenant_id = $1
      and k.id = few.id
      and k.company_id = :parent
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:words::text is null or fold(concat_ws(' ', k.first_name, k.last_name, k.email)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
), page as materialized (
  select k.*
  from found k
  order by k.is_primary desc, fold(k.first_name) collate "C", k.id
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile,
  k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (
  select
  from companies parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.deleted_at is null
) parent
left join page k on true
order by k.is_primary desc, fold(k.first_name) collate "C", k.id;

-- list_few_contacts_of_all
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from contacts k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      and (
        select c.id
        from companies c
        where c.tenant_id = $1
        and c.id = k.company_id
        and c.deleted_at is null
        limit 1
      ) is not null
      limit 1
    ) k
  ) k
  where (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (select k.* from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile,
  k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join page k on true
order by k.id;

-- list_few_invoices
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from invoices k
      where k.tenant_id = $1
      and k.id = few.id
      and k.company_id = :parent
      limit 1
    ) k
  ) k
  where (:status::text is null or k.status = :status)
  and (:wms_state::text is null or k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
  and (:search::text is null or fold(k.number) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (
  select k.*
  from found k
  order by k.issued_on desc nulls last, k.id desc
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status,
  k.delivery_address_id, k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at,
  k.wms_error, k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at,
  k.wms_updated_at, k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid,
  k.wms_cancel, k.wms_cancel_error, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.external,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text,
  k.metadata::text)) else 0 end
from (
  select
  from companies parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.deleted_at is null
) parent
left join page k on true
order by k.issued_on desc nulls last, k.id desc;

-- list_few_payments
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from payments k
      where k.tenant_id = $1
      and k.id = few.id
      and k.invoice_id = :parent
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
), page as materialized (select k.* from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference,
  k.created_at, k.updated_at, k.external
from (
  select
  from invoices parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.id is not null
) parent
left join page k on true
order by k.id;

-- list_few_payments_of_all
with found as materialized (
  select k.*
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from payments k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
), page as materialized (select k.* from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference,
  k.created_at, k.updated_at, k.external
from (select) parent
left join page k on true
order by k.id;

-- list_filtered_addresses
with found as materialized (
  select k.id, k.is_default
  from addresses k
  where k.tenant_id = $1
  and k.company_id = :parent
  and k.deleted_at is null
  and (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:words::text is null or fold(concat_ws(' ', k.label, k.address, k.city)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
), page as materialized (
  select k.id
  from found k
  order by k.is_default desc, k.id
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country,
  k.postal_code, k.contact_name, k.phone, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end,
  k.is_default, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from (
  select
  from companies parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.deleted_at is null
) parent
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.is_default desc, k.id;

-- list_filtered_addresses_of_all
with found as materialized (
  select k.id, k.deleted_at, k.company_id
  from addresses k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
), page as materialized (select k.id from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country,
  k.postal_code, k.contact_name, k.phone, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end,
  k.is_default, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from (select) parent
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.id;

-- list_filtered_companies_by_id
with found as materialized (
  select k.id
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (select k.id from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.id;

-- list_filtered_companies_by_id_down
with found as materialized (
  select k.id
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (select k.id from found k order by k.id desc limit :limit offset :offset)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.id desc;

-- list_filtered_companies_by_name
with found as materialized (
  select k.id, k.search_text
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (
  select k.id
  from found k
  order by k.search_text collate "C", k.id
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.search_text collate "C", k.id;

-- list_filtered_companies_by_name_down
with found as materialized (
  select k.id, k.search_text
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (
  select k.id
  from found k
  order by k.search_text collate "C" desc, k.id desc
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone,
  k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.search_text collate "C" desc, k.id desc;

-- list_filtered_contacts
with found as materialized (
  select k.id, k.is_primary, k.first_name
  from contacts k
  where k.tenant_id = $1
  and k.company_id = :parent
  and k.deleted_at is null
  and (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:words::text is null or fold(concat_ws(' ', k.first_name, k.last_name, k.email)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
), page as materialized (
  select k.id
  from found k
  order by k.is_primary desc, fold(k.first_name) collate "C", k.id
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile,
  k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (
  select
  from companies parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.deleted_at is null
) parent
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.is_primary desc, fold(k.first_name) collate "C", k.id;

-- list_filtered_contacts_of_all
with found as materialized (
  select k.id, k.deleted_at, k.company_id
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (select k.id from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile,
  k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from (select) parent
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.id;

-- list_filtered_invoices
with found as materialized (
  select k.id, k.issued_on
  from invoices k
  where k.tenant_id = $1
  and k.company_id = :parent
  and (:status::text is null or k.status = :status)
  and (:wms_state::text is null or k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
  and (:search::text is null or fold(k.number) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
), page as materialized (
  select k.id
  from found k
  order by k.issued_on desc nulls last, k.id desc
  limit :limit
  offset :offset
)
select (select count(*) from found), k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status,
  k.delivery_address_id, k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at,
  k.wms_error, k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at,
  k.wms_updated_at, k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid,
  k.wms_cancel, k.wms_cancel_error, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.external,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text,
  k.metadata::text)) else 0 end
from (
  select
  from companies parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.deleted_at is null
) parent
left join invoices k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.issued_on desc nulls last, k.id desc;

-- list_filtered_payments
with found as materialized (
  select k.id
  from payments k
  where k.tenant_id = $1
  and k.invoice_id = :parent
  and k.deleted_at is null
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
), page as materialized (select k.id from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference,
  k.created_at, k.updated_at, k.external
from (
  select
  from invoices parent
  where parent.tenant_id = $1
  and parent.id = :parent
  and parent.id is not null
) parent
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.id;

-- list_filtered_payments_of_all
with found as materialized (
  select k.id, k.deleted_at
  from payments k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
), page as materialized (select k.id from found k order by k.id limit :limit offset :offset)
select (select count(*) from found), k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference,
  k.created_at, k.updated_at, k.external
from (select) parent
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from page))
order by k.id;

-- list_followed
select i.id, i.number, i.wms_order_id, i.wms_status, i.company_id, coalesce(i.wms_via, i.company_id), i.wms_instance
from invoices i
where i.tenant_id = $1
and (i.company_id, i.id) > (:company, :id)
and i.wms_order_id is not null
and i.wms_instance is not null
and case when :number::text is null then i.wms_poll_at is not null else i.number = :number end
order by i.company_id, i.id
limit :limit;

-- list_imports
select i.id, md5(i.kind || coalesce(i.encoding::text, '') || '/' || coalesce(i.delimiter::text,
  '') || '/' || coalesce(i.clears_empty::text, '') || '/' || coalesce(i.columns::text,
  '') || '/' || coalesce(i.language::text, '') || '/' || coalesce(i.reading::text,
  '') || '/' || coalesce(i.runner::text, '') || '/'), i.kind, i.file_name, i.bytes, i.encoding, i.delimiter,
  i.clears_empty, i.columns, i.language, i.reading, i.state, i.failure, i.total, i.created, i.updated, i.unchanged,
  i.rejected, i.next_line, i.deleted, i.restored, i.kept, i.unknown_words, i.created_at, i.started_at, i.finished_at,
  i.undone_at, i.forgotten_at, (select u.name from users u where u.tenant_id = $1 and u.id = i.created_by),
  i.created_by, (select u.name from users u where u.tenant_id = $1 and u.id = i.started_by),
  (select u.name from users u where u.tenant_id = $1 and u.id = i.cancelled_by),
  (select u.name from users u where u.tenant_id = $1 and u.id = i.undone_by)
from imports i
where i.tenant_id = $1
and i.state <> 'uploading'
order by i.id desc
limit :limit
offset :offset;

-- list_invoices
select k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error,
  k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at,
  k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel,
  k.wms_cancel_error, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.external,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text,
  k.metadata::text)) else 0 end
from invoices k
where k.tenant_id = $1
and k.company_id = :parent
order by k.issued_on desc nulls last, k.id desc
limit :limit
offset :offset;

-- list_invoices_of_status
select k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error,
  k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at,
  k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel,
  k.wms_cancel_error, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.external,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text,
  k.metadata::text)) else 0 end
from invoices k
where k.tenant_id = $1
and k.company_id = :parent
and (k.status = :status)
order by k.issued_on desc nulls last, k.id desc
limit :limit
offset :offset;

-- list_invoices_of_status_of_wms_state
select k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error,
  k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at,
  k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel,
  k.wms_cancel_error, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.external,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text,
  k.metadata::text)) else 0 end
from invoices k
where k.tenant_id = $1
and k.company_id = :parent
and (k.status = :status)
and (k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
order by k.issued_on desc nulls last, k.id desc
limit :limit
offset :offset;

-- list_invoices_of_wms_state
select k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error,
  k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at,
  k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel,
  k.wms_cancel_error, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.external,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text,
  k.metadata::text)) else 0 end
from invoices k
where k.tenant_id = $1
and k.company_id = :parent
and (k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
order by k.issued_on desc nulls last, k.id desc
limit :limit
offset :offset;

-- list_links
select i.id, i.number, i.total, i.wms_order_id, i.wms_order_number, i.wms_status, c.id, c.name, c.tax_id, (
  select to_json(array_agg(shown.tax_id))
  from companies other
  cross join lateral (
    select other.tax_id
    union all
    select former ->> 'text'
    from jsonb_array_elements(other.former_ids) former
    where former ->> 'type' = 'former_tax_id'
  ) shown(tax_id)
  where true
  and shown.tax_id is not null
  and other.tenant_id = $1
  and other.id = any(array(
    with recursive one(id) as (
      select c.id
      union
      select other.id
      from one
      cross join lateral (
        select m.from_id as id
        from merges m
        where m.tenant_id = $1
        and m.type = 'company'
        and m.kept_id = one.id
        union all
        select m.kept_id
        from merges m
        where m.tenant_id = $1
        and m.type = 'company'
        and m.from_id = one.id
        offset 0
      ) other
    )
    select one.id
    from one
  ))
), (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (select slug from tenants where id = $1)
from invoices i
cross join lateral (
  select *
  from companies
  where tenant_id = $1
  and id = i.company_id
  and deleted_at is null
  offset 0
) c
where i.tenant_id = $1
and i.wms_shown = 'to_be_confirmed'
and i.id > :after
order by i.id
limit :limit;

-- list_members
select u.id, u.email, u.name, u.role, u.totp_confirmed_at is not null, not exists (
  select
  from single_sign_on s
  where s.tenant_id = $1
  and s.sso_only
  and (s.sso_break_glass is distinct from u.id or u.totp_confirmed_at is null)
), u.language, u.created_at, u.deactivated_at, u.export_refused_at is null, u.second_factor_reset_at,
  u.second_factor_reset_by, case when u.second_factor_reset_by like 'user:%' then (
  select w.name
  from users w
  where w.tenant_id = $1
  and w.id = substr(u.second_factor_reset_by, 6)::bigint
) end, (
  select max(l.created_at)
  from single_sign_on_links l
  where l.tenant_id = $1
  and l.user_id = u.id
), (
  select count(*)
  from passkeys p
  where p.tenant_id = $1
  and p.user_id = u.id
), (
  select max(s.last_seen_at)
  from sessions s
  where s.tenant_id = $1
  and s.user_id = u.id
), (
  select count(*)
  from invitations i
  where i.tenant_id = $1
  and i.invited_by = u.id
  and i.accepted_at is null
  and i.revoked_at is null
  and i.expires_at > now()
)
from users u
where u.tenant_id = $1
order by u.deactivated_at is not null, lower(u.name), u.id
limit :limit
offset :offset;

-- list_offers
select r.number, r.title, r.status, r.amount, r.currency, r.starts_on
from offers r
where r.tenant_id = $1
and r.company_id = :company
order by r.id desc
limit :limit
offset :offset;

-- list_orders_all
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id from (
    with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
      select asked.key, asked.value, (
        select count(*)
        from (
          select 1
          from value_entries v
          where v.tenant_id = $1
          and v.entry = value_entry('invoice', asked.key, asked.value)
          limit :most + 1
        ) few
      ) as n
      from asked
    ), rarest as materialized (select key, value, n from counted order by n limit 1)
    select few.id
    from rarest
    cross join lateral (
      select v.record_id as id
      from value_entries v
      where v.tenant_id = $1
      and v.entry = value_entry('invoice', rarest.key, rarest.value)
      order by v.record_id
      limit :most
    ) few
  ) v join invoices i on i.tenant_id = $1 and i.id = v.id union select i.id, i.company_id, i.issued_on, i.due_on,
    i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance, i.wms_order_id,
    i.wms_order_number, i.status,
    i.delivery_address_id from invoices i where i.tenant_id = $1 and i.number = :search union select i.id, i.company_id,
    i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance,
    i.wms_order_id, i.wms_order_number, i.status,
    i.delivery_address_id from invoices i where i.tenant_id = $1 and i.wms_order_id = case when :search ~ '^[0-9]{1,18}$' then :search::bigint end) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_all_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_attention
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
    order by i.wms_needs_at desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_done
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_done_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_draft
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'draft'
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_draft_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'draft'
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_needs
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
    and i.wms_shown <> 'to_be_confirmed'
    order by i.wms_needs_at desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_overdue
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.due_on is null then i.terms_due_on else i.due_on end) < (
      select (now() at time zone t.time_zone)::date
      from tenants t
      where t.id = $1
    )
    and ((i.total - i.paid) < 0) is not true
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_owed
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_paid_too_much
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_put_off
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and i.wms_put_off_until is not null
    and i.wms_put_off_until > now()
    order by i.wms_put_off_until
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_shown
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :shown
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :other_shown
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_shown_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :shown
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :other_shown
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_sold
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_sold_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_sold_to
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company::bigint
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_sold_to_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company::bigint
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_to_send
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from (
      select i.*
      from invoices i
      where i.tenant_id = $1
      and i.wms_shown = 'not_sent'
      and i.status in ('issued', 'paid')
      order by i.issued_on desc nulls last, i.id desc
      limit 10000
    ) i
    cross join lateral (
      select c.name
      from companies c
      where c.tenant_id = $1
      and c.id = i.company_id
      and c.deleted_at is null
      and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
      limit 1
    ) c
    where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_to_send_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from (
      select i.*
      from invoices i
      where i.tenant_id = $1
      and i.wms_shown = 'not_sent'
      and i.status in ('issued', 'paid')
      and i.issued_on >= :from::date
      and i.issued_on <= :to::date
      order by i.issued_on desc nulls last, i.id desc
      limit 10000
    ) i
    cross join lateral (
      select c.name
      from companies c
      where c.tenant_id = $1
      and c.id = i.company_id
      and c.deleted_at is null
      and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
      limit 1
    ) c
    where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_under_way
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_under_way_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_orders_unpaid
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to),
  n.total
from (
  select i.id, count(*) over () as total
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
  order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
    case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
    case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
    case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
    case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc
  limit :limit
  offset :offset
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by case when :sort = 'number' then i.number end, case when :sort = '-number' then i.number end desc,
  case when :sort = 'total' then i.total end nulls last, case when :sort = '-total' then i.total end desc nulls last,
  case when :sort = 'company' then lower(c.name) end, case when :sort = '-company' then lower(c.name) end desc,
  case when :sort = 'due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end nulls last,
  case when :sort = '-due_on' then (case when i.due_on is null then i.terms_due_on else i.due_on end) end desc nulls last, case when :sort = 'issued_on' then i.issued_on end nulls last, case when :sort = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc;

-- list_payments
select k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference, k.created_at, k.updated_at,
  k.external
from payments k
where k.tenant_id = $1
and k.invoice_id = :parent
and k.deleted_at is null
order by k.id
limit :limit
offset :offset;

-- list_payments_of_all
select k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference, k.created_at, k.updated_at,
  k.external
from payments k
where k.tenant_id = $1
and k.deleted_at is null
order by k.id
limit :limit
offset :offset;

-- list_subscriptions
select r.number, r.title, r.status, r.amount, r.currency, r.starts_on
from subscriptions r
where r.tenant_id = $1
and r.company_id = :company
order by r.id desc
limit :limit
offset :offset;

-- list_tenant_history
with seen as materialized (
  select h.id, h.at, h.type, h.action, h.changed_by
  from changes h
  where h.tenant_id = $1
  and (h.at, h.id) < (least(:at::timestamptz, (:to::date + 1)::timestamp at time zone :time_zone),
    case when (:to::date + 1)::timestamp at time zone :time_zone < :at::timestamptz then 0 else :id::bigint end)
  and h.at >= coalesce(:from::date::timestamp at time zone :time_zone, '-infinity')
  order by h.at desc, h.id desc
  limit :most
), last as (
  select (select count(*) from seen) as looked, at, id
  from seen
  order by at, id
  limit 1
), found as (
  select h.id
  from seen h
  where h.type not in ('hidden_contact', 'hidden_address')
  and (:type::text is null or h.type = :type)
  and (:action::text is null or h.action = :action)
  and (:by::text is null or (h.changed_by in (:by, replace(:by, 'key:', 'mcp:')) or starts_with(h.changed_by,
    replace(:by, 'key:', 'mcp:') || ':')))
  order by h.at desc, h.id desc
  limit :found
)
select s.looked, s.at, s.id, h.id, h.at, h.type, h.action, case when octet_length(h.changed) <= 8192 then h.changed end,
  h.changed_by, case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end, coalesce(p.invoice_id, h.resource_id),
  case h.type when 'company' then c.name when 'planned_call' then c.name when 'contact' then k.first_name || ' ' || k.last_name when 'address' then coalesce(a.label, a.address) when 'connection' then c.name when 'user' then (select u.name from users u where u.tenant_id = $1 and u.id = h.resource_id) when 'invitation' then (
  select n.email
  from invitations n
  where n.tenant_id = $1
  and n.id = h.resource_id
) when 'api_key' then (
  select y.name
  from api_keys y
  where y.tenant_id = $1
  and y.id = h.resource_id
) when 'webhook' then (
  select b.url
  from webhooks b
  where b.tenant_id = $1
  and b.id = h.resource_id
) when 'custom_field' then (
  select f.label
  from custom_fields f
  where f.tenant_id = $1
  and f.id = h.resource_id
) when 'workspace' then (select t.name from tenants t where t.id = $1) when 'payment' then b.number else i.number end,
  c.deleted_at is null
and case h.type when 'contact' then k.deleted_at is null when 'address' then a.deleted_at is null else true end,
  h.company_id, c.name, c.deleted_at is null, h.type in ('company', 'planned_call')
and (exists (
  select
  from activities v
  where v.tenant_id = $1
  and v.company_id = h.company_id
  and v.told_at = h.at
) or h.type = 'planned_call' and not h.changed ~ '"(contact_id|about|assigned_to|invoice_id)"' and exists (
  select
  from changes g
  where g.tenant_id = $1
  and g.company_id = h.company_id
  and g.at = h.at
  and g.type = 'company'
) or h.changed ~ '^{"callback_date":[^{}]*{[^{}]*}}$' and exists (
  select
  from changes g
  where g.tenant_id = $1
  and g.company_id = h.company_id
  and g.at = h.at
  and g.type = 'planned_call'
  and g.changed ~ '"(contact_id|about|assigned_to|invoice_id)"'
)), q.due_on, p.amount, coalesce(b.currency, i.currency), coalesce(i.wms_order_number, i.wms_order_id::text),
  case when i.wms_gone_at <= h.at then 'missing' when lower(i.wms_status) in ('cancelled',
  'canceled') then 'cancelled' end,
  case h.type when 'workspace' then (select w.wms_subdomain from workspace_warehouses w where w.tenant_id = $1) else c.wms_subdomain end
from last s
left join found f on true
left join changes h on h.tenant_id = $1
and h.id = f.id
left join companies c on c.tenant_id = $1
and c.id = h.company_id
left join contacts k on k.tenant_id = $1
and k.id = h.resource_id
and h.type = 'contact'
left join addresses a on a.tenant_id = $1
and a.id = h.resource_id
and h.type = 'address'
left join planned_calls q on q.tenant_id = $1
and q.id = h.resource_id
and h.type = 'planned_call'
left join payments p on p.tenant_id = $1
and p.id = h.resource_id
and h.type = 'payment'
left join invoices b on b.tenant_id = $1
and b.id = p.invoice_id
left join invoices i on i.tenant_id = $1
and i.id = h.resource_id
and h.type = 'invoice'
order by h.at desc, h.id desc;

-- list_tickets
select r.number, r.title, r.status, r.amount, r.currency, r.starts_on
from tickets r
where r.tenant_id = $1
and r.company_id = :company
order by r.id desc
limit :limit
offset :offset;

-- list_unsent_ids
select i.id
from (
  select i.*
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = 'not_sent'
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit 10000
) i
cross join lateral (
  select c.name
  from companies c
  where c.tenant_id = $1
  and c.id = i.company_id
  and c.deleted_at is null
  and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  limit 1
) c
where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
and i.id <= :through
order by i.issued_on desc nulls last, i.id desc
limit :limit;

-- list_values_of_companies_by_id
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from value_entries v
cross join lateral (
  select k.*
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id = v.record_id
  limit 1
) k
where v.tenant_id = $1
and v.entry = value_entry('company', :value_key::text, :value::text)
order by v.record_id
limit :limit
offset :offset;

-- list_values_of_companies_by_id_down
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from value_entries v
cross join lateral (
  select k.*
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id = v.record_id
  limit 1
) k
where v.tenant_id = $1
and v.entry = value_entry('company', :value_key::text, :value::text)
order by v.record_id desc
limit :limit
offset :offset;

-- list_webhooks
select w.id, w.url, w.types, w.active, w.description, w.failing_since, w.switched_off, w.created_at, w.updated_at,
  w.body, w.children
from webhooks w
where w.tenant_id = $1
and w.deleted_at is null
order by w.id
limit :limit
offset :offset;

-- look_through_companies_all
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_all_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-assigned_to
with candidates as materialized (
  with owned as materialized (
    select c.id
    from (
      select id, fold(u.name) collate "C" as name
      from users u
      where u.tenant_id = $1
      order by 2 desc, 1 desc
      offset 0
    ) u
    cross join lateral (
      select id
      from companies
      where tenant_id = $1
      and deleted_at is null
      and assigned_to = u.id
      order by id desc
      limit :most
      offset 0
    ) c
    limit :most
  )
  select id
  from owned
  union all (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and assigned_to is null
    order by id desc
    limit :most - (select count(*) from owned)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-callback_date
with candidates as materialized (
  with dated as materialized (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and callback_date is not null
    order by callback_date desc, id desc
    limit :most
  )
  select id
  from dated
  union all (
    select id
    from (
      select id, callback_date
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id desc
      limit 2 * :most
    ) c
    where callback_date is null
    order by id desc
    limit :most - (select count(*) from dated)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-city
with candidates as materialized (
  with dated as materialized (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and city is not null
    order by split_part(search_text, E'\x1f', -1) collate "C" desc, id desc
    limit :most
  )
  select id
  from dated
  union all (
    select id
    from (
      select id, city
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id desc
      limit 2 * :most
    ) c
    where city is null
    order by id desc
    limit :most - (select count(*) from dated)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-id
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  order by id desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-last_contacted_at
with candidates as materialized (
  with dated as materialized (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and last_contacted_at is not null
    order by last_contacted_at desc, id desc
    limit :most
  )
  select id
  from dated
  union all (
    select id
    from (
      select id, last_contacted_at
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id desc
      limit 2 * :most
    ) c
    where last_contacted_at is null
    order by id desc
    limit :most - (select count(*) from dated)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-name
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  order by search_text collate "C" desc, id desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from (
    select id, place
    from ranked
    union all (
      select id, null
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id desc
      limit :most
    )
  ) c
  group by id
  order by max(place) nulls last, id desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_-updated_at
with candidates as materialized (
  select resource_id as id
  from (
    select resource_id, at
    from changes
    where tenant_id = $1
    and type in ('company', 'connection')
    order by at desc, resource_id desc
    limit :most
  ) h
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_assigned_to
with candidates as materialized (
  with owned as materialized (
    select c.id
    from (
      select id, fold(u.name) collate "C" as name
      from users u
      where u.tenant_id = $1
      order by 2 asc, 1 asc
      offset 0
    ) u
    cross join lateral (
      select id
      from companies
      where tenant_id = $1
      and deleted_at is null
      and assigned_to = u.id
      order by id asc
      limit :most
      offset 0
    ) c
    limit :most
  )
  select id
  from owned
  union all (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and assigned_to is null
    order by id asc
    limit :most - (select count(*) from owned)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_callback_date
with candidates as materialized (
  with dated as materialized (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and callback_date is not null
    order by callback_date asc, id asc
    limit :most
  )
  select id
  from dated
  union all (
    select id
    from (
      select id, callback_date
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id asc
      limit 2 * :most
    ) c
    where callback_date is null
    order by id asc
    limit :most - (select count(*) from dated)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_city
with candidates as materialized (
  with dated as materialized (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and city is not null
    order by split_part(search_text, E'\x1f', -1) collate "C" asc, id asc
    limit :most
  )
  select id
  from dated
  union all (
    select id
    from (
      select id, city
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id asc
      limit 2 * :most
    ) c
    where city is null
    order by id asc
    limit :most - (select count(*) from dated)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_id
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  order by id asc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_last_contacted_at
with candidates as materialized (
  with dated as materialized (
    select id
    from companies
    where tenant_id = $1
    and deleted_at is null
    and last_contacted_at is not null
    order by last_contacted_at asc, id asc
    limit :most
  )
  select id
  from dated
  union all (
    select id
    from (
      select id, last_contacted_at
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id asc
      limit 2 * :most
    ) c
    where last_contacted_at is null
    order by id asc
    limit :most - (select count(*) from dated)
  )
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_name
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  order by search_text collate "C" asc, id asc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from (
    select id, place
    from ranked
    union all (
      select id, null
      from companies
      where tenant_id = $1
      and deleted_at is null
      order by id asc
      limit :most + (select count(*) from ranked)
    )
  ) c
  group by id
  order by max(place) desc nulls first, id asc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_by_updated_at
with candidates as materialized (
  select case when c.updated_at <= max(h.at) over () then h.resource_id end as id
  from (
    select resource_id, at
    from changes
    where tenant_id = $1
    and type in ('company', 'connection')
    order by at asc, resource_id asc
    limit :most
  ) h
  cross join lateral (
    select updated_at
    from companies
    where tenant_id = $1
    and id = h.resource_id
    offset 0
  ) c
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_called
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and callback_date is not null
  and callback_date <= :callback::date
  order by callback_date, id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_called_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and callback_date is not null
  and callback_date <= :callback::date
  order by callback_date, id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_found
with candidates as materialized (
  select id
  from search_companies(coalesce(:search, E'\x1f' || :city), :status, :assigned_to, :sort like '%name', :sort like '-%',
    :most, 0)
  where id is not null
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_found_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from search_companies(coalesce(:search, E'\x1f' || :city), :status, :assigned_to, :sort like '%name', :sort like '-%',
    :most, 0)
  where id is not null
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_in_need
with candidates as materialized (
  select i.company_id as id
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  order by i.wms_needs_at desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_in_need_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select i.company_id as id
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  order by i.wms_needs_at desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_of_owner
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_of_owner_and_status
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  and status = :status
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_of_owner_and_status_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  and status = :status
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_of_owner_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_of_status
with candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_of_status_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select id
  from companies
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  order by id
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_under_way
with candidates as materialized (
  select i.company_id as id
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_under_way_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  select i.company_id as id
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_valued
with candidates as materialized (
  with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
    select asked.key, asked.value, (
      select count(*)
      from (
        select 1
        from value_entries v
        where v.tenant_id = $1
        and v.entry = value_entry('company', asked.key, asked.value)
        limit :most + 1
      ) few
    ) as n
    from asked
  ), rarest as materialized (select key, value, n from counted order by n limit 1)
  select few.id
  from rarest
  cross join lateral (
    select v.record_id as id
    from value_entries v
    where v.tenant_id = $1
    and v.entry = value_entry('company', rarest.key, rarest.value)
    order by v.record_id
    limit :most
  ) few
), matched as materialized (
  select k.id, row_number() over (order by case when :sort = 'name' then k.search_text collate "C" end,
    case when :sort = '-name' then k.search_text collate "C" end desc nulls last,
    case when :sort = 'city' then case when k.city is not null then split_part(k.search_text, E'\x1f',
    -1) collate "C" end end, case when :sort = '-city' then case when k.city is not null then split_part(k.search_text,
    E'\x1f', -1) collate "C" end end desc nulls last, case when :sort = 'assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end, case when :sort = '-assigned_to' then (
    select fold(u.name) collate "C"
    from users u
    where u.tenant_id = $1
    and u.id = k.assigned_to
  ) end desc nulls last, case when :sort = 'assigned_to' then k.assigned_to end,
    case when :sort = '-assigned_to' then k.assigned_to end desc nulls last,
    case when :sort = 'callback_date' then k.callback_date end,
    case when :sort = '-callback_date' then k.callback_date end desc nulls last,
    case when :sort = 'last_contacted_at' then k.last_contacted_at end,
    case when :sort = '-last_contacted_at' then k.last_contacted_at end desc nulls last,
    case when :sort = 'updated_at' then k.updated_at end,
    case when :sort = '-updated_at' then k.updated_at end desc nulls last,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (select distinct id from candidates) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (select count(*) from candidates), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number,
  c.industry, c.website, c.phone, c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status,
  c.status_code, c.assigned_to, case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company,
  c.employee_count, c.activity_domain, c.fiscal_address,
  case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date, c.wms_subdomain,
  case when octet_length(coalesce(c.values_text, c.metadata::text)) <= 8192 then coalesce(c.values_text,
  c.metadata::text) end, c.created_at, c.updated_at, c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_through_companies_valued_by_turnover
with sold as materialized (
  select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
  from (
    select i.company_id, i.currency, i.total
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit 200001
  ) i
  group by i.company_id, coalesce(i.currency, '')
), read as materialized (select coalesce(sum(n), 0) > 200000 as are_too_many from sold), currencies as materialized (
  select currency, row_number() over (order by sum(n) desc, currency) as place
  from sold
  group by currency
), shown as materialized (
  select distinct on(company_id) company_id, currency, sold
  from sold
  where not (select are_too_many from read)
  order by company_id, n desc, nullif(currency, '')
), ranked as materialized (
  select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
  from shown s
  cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
  where s.sold is not null
), candidates as materialized (
  with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
    select asked.key, asked.value, (
      select count(*)
      from (
        select 1
        from value_entries v
        where v.tenant_id = $1
        and v.entry = value_entry('company', asked.key, asked.value)
        limit :most + 1
      ) few
    ) as n
    from asked
  ), rarest as materialized (select key, value, n from counted order by n limit 1)
  select few.id
  from rarest
  cross join lateral (
    select v.record_id as id
    from value_entries v
    where v.tenant_id = $1
    and v.entry = value_entry('company', rarest.key, rarest.value)
    order by v.record_id
    limit :most
  ) few
), matched as materialized (
  select k.id, row_number() over (order by case when :sort like '-%' then n.place end, n.place desc,
    case when :sort like '-%' then k.id end desc nulls last, k.id) as place
  from (
    select id, coalesce(max(place), 200001) as place
    from (
      select id, null::bigint as place, true as is_asked
      from candidates
      union all
      select id, place, false
      from ranked
    ) n
    where not (select are_too_many from read)
    group by id having bool_or(is_asked)
  ) n
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
  where k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or (:orders <> 'none' or (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null))
)
select (
  select case when (select are_too_many from read) then null else count(*) end
  from candidates
), (select count(*) from matched), c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone,
  c.email, c.address, c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from (select 1) one
left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
order by page.place;

-- look_up_companies_by_tax_id
select id
from company_ids_by_tax_id(array[:value]::text[])
where $1 > 0;

-- look_up_contacts_by_email
select id
from contact_ids_by_email(:value)
where $1 > 0;

-- look_up_invoices_by_number
select k.id
from invoices k
where k.tenant_id = $1
and k.number = :value;

-- maker_of_invitation
select i.invited_by, i.for_user
from invitations i
where i.tenant_id = $1
and i.id = :id
and i.token_hash = :hash
and i.accepted_at is null
and i.revoked_at is null
and i.expires_at > to_timestamp(:time::double precision / 1000);

-- matching_company_ids
select matching_company_ids(:search, :status, :assigned_to, :most)
where $1 > 0;

-- merge_company_away
update companies k set merged_into = :to, deleted_at = moment_after(k.updated_at),
  updated_at = moment_after(k.updated_at), changed_by = :by
where k.tenant_id = $1
and k.id = :from
returning k.id;

-- merge_contact_away
update contacts k set merged_into = :to, deleted_at = moment_after(k.updated_at),
  updated_at = moment_after(k.updated_at), changed_by = :by
where k.tenant_id = $1
and k.id = :from
returning k.id;

-- months_of_company
with sold as materialized ((
  select i.issued_on, i.currency, i.total
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status = 'issued'
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit 2500
) union all (
  select i.issued_on, i.currency, i.total
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status = 'paid'
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit 2500
))
select s.currency, s.month, s.sold, s.is_cut
from (
  select coalesce(i.currency, '') as currency, date_trunc('month', i.issued_on::timestamp)::date as month,
    coalesce(sum(i.total), 0) as sold, (select count(*) from sold) >= 2500 as is_cut
  from sold i
  group by 1, 2
) s
order by s.month;

-- move_activities_to_company
update activities t set company_id = :to
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
and :by::text is not null
returning t.id;

-- move_activities_to_contact
update activities t set contact_id = :to
where t.tenant_id = $1
and t.contact_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
and :by::text is not null
returning t.id;

-- move_addresses_to_company
update addresses t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_contacts_to_company
update contacts t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_deals_to_company
update deals t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_invoices_to_company
update invoices t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_offers_to_company
update offers t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_planned_call
update planned_calls h set due_on = coalesce(:date::date, h.due_on),
  deleted_at = case when :date::date is null then :moment::timestamptz end, updated_at = :moment::timestamptz,
  changed_by = :by
where h.tenant_id = $1
and h.id = :id
and h.company_id = :companyId
and h.deleted_at is null
returning h.id;

-- move_planned_calls_to_company
update planned_calls t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_planned_calls_to_contact
update planned_calls t set contact_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.contact_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_promises_to_company
update promises t set company_id = :to
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
and :by::text is not null
and not exists (select from promises o where o.tenant_id = $1 and o.company_id = :to)
returning t.id;

-- move_reminders_to_contact
update reminders t set contact_id = :to
where t.tenant_id = $1
and t.contact_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
and :by::text is not null
and t.company_id = (select k.company_id from contacts k where k.tenant_id = $1 and k.id = :from)
returning t.id;

-- move_subscriptions_to_company
update subscriptions t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- move_tickets_to_company
update tickets t set company_id = :to, updated_at = moment_after(t.updated_at), changed_by = :by
where t.tenant_id = $1
and t.company_id = :from
and (:ids::bigint[] is null or t.id = any(:ids::bigint[]))
returning t.id;

-- needs_of_owner
with s as materialized (
  select n.id, n.issued_on as at, c.assigned_to
  from (
    select i.id, i.company_id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
    and i.wms_shown <> 'to_be_confirmed'
    order by i.wms_needs_at desc
    limit 10000
  ) n
  cross join lateral (
    select c.assigned_to
    from companies c
    where c.tenant_id = $1
    and c.id = n.company_id
    and c.deleted_at is null
    offset 0
  ) c
), k as (
  select k.*, case when k.own <= 1000 then (
    select string_agg(concat_ws(' ', a.amount, a.currency), '|' order by a.count desc, a.currency)
    from (
      select i.currency, sum(i.amount) as amount, count(*)
      from s
      cross join lateral (
        select i.currency, i.total as amount
        from invoices i
        where i.tenant_id = $1
        and i.id = s.id
        offset 0
      ) i
      where (:assigned_to::bigint is null or coalesce(s.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
      and i.amount is not null
      group by i.currency
    ) a
  ) end as sums
  from (
    select count(*) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as own, count(*) filter(where (0::bigint is null or coalesce(s.assigned_to,
      0) = 0 or (0 = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as nobodys, (
      select count(*)
      from (
        select
        from invoices i
        where i.tenant_id = $1
        and i.wms_needs_at is not null
        and i.wms_needs_at <= now()
        and i.wms_settled_at is null
        and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
        and i.wms_shown <> 'to_be_confirmed'
        limit 10001
      ) n
    ) > 10000 as is_cut, max(s.id) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as newest
    from s
  ) k
), n as (
  select s.id, s.at
  from s
  where (:assigned_to::bigint is null or coalesce(s.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  order by at desc nulls last, id desc
  limit :most
)
select n.id, i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, c.phone, counts.*
from k counts
left join n on true
left join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i on true
left join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c on true
order by n.at desc nulls last, n.id desc;

-- next_due_ms
select extract(epoch from min(i.wms_poll_at) - clock_timestamp()) * 1000
from invoices i
where i.tenant_id = $1
and i.company_id = :company
and i.wms_instance = :instance
and coalesce(i.wms_via, i.company_id) = :sender
and i.wms_poll_at is not null;

-- note_change
insert into changes(tenant_id, xid, at, type, resource_id, company_id, action, changed, changed_by) values($1,
  :transaction::xid8, coalesce(moment_after(:after::timestamptz), clock_timestamp()), :type, :id, :companyId, :action,
  :changed, :by);

-- note_changed
update imports set created = :created, updated = :updated, unchanged = :unchanged, rejected = :rejected
where tenant_id = $1
and id = :id;

-- note_trial
update single_sign_on set sso_tried_at = now()
where tenant_id = $1
and sso_issuer = :issuer
and sso_client_id = :clientId
and sso_client_secret = :secret;

-- note_use
update single_sign_on_links set last_used_at = now()
where tenant_id = $1
and issuer = :issuer
and subject = :subject;

-- note_workspace_change
insert into changes(tenant_id, at, type, resource_id, action, changed, changed_by)
select t.id, now(), 'workspace', t.id, 'updated', d.changed, :by
from tenants t, lateral (
  select workspace_differences(to_jsonb(t), jsonb_build_object('name', coalesce(:name, t.name), 'country',
    coalesce(:country, t.country), 'time_zone', coalesce(:timeZone, t.time_zone)), '{name,country,time_zone}',
    '{}') as changed
) d
where t.id = $1
and d.changed <> '{}';

-- orders_for_file
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name, c.tax_id, c.assigned_to
from unnest(:ids::bigint[]) with ordinality as n(id, at)
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by n.at;

-- overdue_invoices
with s as materialized (
  select n.id, n.due as at, c.assigned_to
  from (
    select i.id, i.company_id, (case when i.due_on is null then i.terms_due_on else i.due_on end) as due
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.due_on is null then i.terms_due_on else i.due_on end) < :today::date
    and ((i.total - i.paid) < 0) is not true
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit 10000
  ) n
  cross join lateral (
    select c.assigned_to
    from companies c
    where c.tenant_id = $1
    and c.id = n.company_id
    and c.deleted_at is null
    offset 0
  ) c
), k as (
  select k.*, case when k.own <= 1000 then (
    select string_agg(concat_ws(' ', a.amount, a.currency), '|' order by a.count desc, a.currency)
    from (
      select i.currency, sum(i.amount) as amount, count(*)
      from s
      cross join lateral (
        select i.currency, (i.total - i.paid) as amount
        from invoices i
        where i.tenant_id = $1
        and i.id = s.id
        offset 0
      ) i
      where (:assigned_to::bigint is null or coalesce(s.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
      and i.amount is not null
      group by i.currency
    ) a
  ) end as sums
  from (
    select count(*) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as own, count(*) filter(where (0::bigint is null or coalesce(s.assigned_to,
      0) = 0 or (0 = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as nobodys, (
      select count(*)
      from (
        select
        from invoices i
        where i.tenant_id = $1
        and i.status = 'issued'
        and (case when i.due_on is null then i.terms_due_on else i.due_on end) < :today::date
        and ((i.total - i.paid) < 0) is not true
        limit 10001
      ) n
    ) > 10000 as is_cut, max(s.id) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as newest
    from s
  ) k
), n as (
  select s.id, s.at
  from s
  where (:assigned_to::bigint is null or coalesce(s.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  order by at, id
  limit :most
)
select n.id, i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, c.phone, counts.*
from k counts
left join n on true
left join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i on true
left join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c on true
order by n.at, n.id;

-- page_companies
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  order by k.id
  limit :limit
  offset :offset
))
order by k.id;

-- page_companies_by_id_down
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  order by k.id desc
  limit :limit
  offset :offset
))
order by k.id desc;

-- page_companies_by_id_down_of_owner
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  order by k.id desc
  limit :limit
  offset :offset
))
order by k.id desc;

-- page_companies_by_id_down_of_owner_and_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  and status = :status
  order by k.id desc
  limit :limit
  offset :offset
))
order by k.id desc;

-- page_companies_by_id_down_of_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  order by k.id desc
  limit :limit
  offset :offset
))
order by k.id desc;

-- page_companies_by_name
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  order by k.search_text collate "C", k.id
  limit :limit
  offset :offset
))
order by k.search_text collate "C", k.id;

-- page_companies_by_name_down
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  order by k.search_text collate "C" desc, k.id desc
  limit :limit
  offset :offset
))
order by k.search_text collate "C" desc, k.id desc;

-- page_companies_by_name_down_of_owner
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  order by k.search_text collate "C" desc, k.id desc
  limit :limit
  offset :offset
))
order by k.search_text collate "C" desc, k.id desc;

-- page_companies_by_name_down_of_owner_and_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  and status = :status
  order by k.search_text collate "C" desc, k.id desc
  limit :limit
  offset :offset
))
order by k.search_text collate "C" desc, k.id desc;

-- page_companies_by_name_down_of_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  order by k.search_text collate "C" desc, k.id desc
  limit :limit
  offset :offset
))
order by k.search_text collate "C" desc, k.id desc;

-- page_companies_by_name_of_owner
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  order by k.search_text collate "C", k.id
  limit :limit
  offset :offset
))
order by k.search_text collate "C", k.id;

-- page_companies_by_name_of_owner_and_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  and status = :status
  order by k.search_text collate "C", k.id
  limit :limit
  offset :offset
))
order by k.search_text collate "C", k.id;

-- page_companies_by_name_of_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  order by k.search_text collate "C", k.id
  limit :limit
  offset :offset
))
order by k.search_text collate "C", k.id;

-- page_companies_of_owner
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  order by k.id
  limit :limit
  offset :offset
))
order by k.id;

-- page_companies_of_owner_and_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and assigned_to = :assigned_to
  and status = :status
  order by k.id
  limit :limit
  offset :offset
))
order by k.id;

-- page_companies_of_status
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where tenant_id = $1
  and deleted_at is null
  and status = :status
  order by k.id
  limit :limit
  offset :offset
))
order by k.id;

-- page_deleted_companies
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company, k.employee_count, k.activity_domain,
  k.fiscal_address, case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date,
  k.wms_subdomain, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) <= 8192 then coalesce(k.values_text, k.metadata::text) end, k.created_at, k.updated_at,
  k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from companies k
where k.tenant_id = $1
and k.id = any(array(
  select k.id
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is not null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  order by k.deleted_at desc, k.id desc
  limit :limit
  offset :offset
))
order by k.deleted_at desc, k.id desc;

-- page_orders_all
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_all_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_done
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_done_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_draft
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.status = 'draft'
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_draft_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.status = 'draft'
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_shown
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from ((
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :shown
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union all (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :other_shown
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_shown_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from ((
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :shown
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union all (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :other_shown
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_sold
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_sold_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_sold_to
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company::bigint
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_sold_to_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company::bigint
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_to_send
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from (
      select i.*
      from invoices i
      where i.tenant_id = $1
      and i.wms_shown = 'not_sent'
      and i.status in ('issued', 'paid')
      order by i.issued_on desc nulls last, i.id desc
      limit 10000
    ) i
    cross join lateral (
      select c.name
      from companies c
      where c.tenant_id = $1
      and c.id = i.company_id
      and c.deleted_at is null
      and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
      limit 1
    ) c
    where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_to_send_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from (
      select i.*
      from invoices i
      where i.tenant_id = $1
      and i.wms_shown = 'not_sent'
      and i.status in ('issued', 'paid')
      and i.issued_on >= :from::date
      and i.issued_on <= :to::date
      order by i.issued_on desc nulls last, i.id desc
      limit 10000
    ) i
    cross join lateral (
      select c.name
      from companies c
      where c.tenant_id = $1
      and c.id = i.company_id
      and c.deleted_at is null
      and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
      limit 1
    ) c
    where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_under_way
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- page_orders_under_way_of_days
select i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, (select name from users where tenant_id = $1 and id = c.assigned_to), null
from (
  select i.id
  from (
    select i.id, i.issued_on
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  order by i.issued_on desc nulls last, i.id desc
  offset :offset::bigint
  limit :most - :offset::bigint
) n
cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
order by i.issued_on desc nulls last, i.id desc;

-- pause_of_mail
select extract(epoch from o.first + interval '1 hour' - now()) * 1000
from mails m
cross join lateral (
  select count(*) as others, count(*) filter(where o.kind = any(:linkKinds::text[]) and o.user_id = m.user_id) as links,
    min(o.attempted_at) as first
  from mails o
  where o.tenant_id = $1
  and o.attempted_at > now() - interval '1 hour'
  and o.id <> m.id
  and o.kind = any(:counted::text[])
) o
where m.tenant_id = $1
and m.id = :id;

-- place_of_activity
select now(), case when :at::timestamp is null
or date_trunc('minute',
  :former::timestamptz at time zone :timeZone) = :at::timestamp then :former::timestamptz else :at::timestamp at time zone :timeZone end, coalesce(case when :at::timestamp is null or date_trunc('minute', :former::timestamptz at time zone :timeZone) = :at::timestamp then :former::timestamptz else :at::timestamp at time zone :timeZone end > now(), false)
from companies c
where c.tenant_id = $1
and c.id = :companyId
and c.deleted_at is null for no key update of c;

-- rarest_value_of_companies
with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
  select asked.key, asked.value, (
    select count(*)
    from (
      select 1
      from value_entries v
      where v.tenant_id = $1
      and v.entry = value_entry('company', asked.key, asked.value)
      limit :most + 1
    ) few
  ) as n
  from asked
), rarest as materialized (select key, value, n from counted order by n limit 1)
select case when rarest.n <= :most then array(
  select v.record_id
  from value_entries v
  where v.tenant_id = $1
  and v.entry = value_entry('company', rarest.key, rarest.value)
) end
from rarest;

-- rarest_value_of_contacts_of_all
with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
  select asked.key, asked.value, (
    select count(*)
    from (
      select 1
      from value_entries v
      where v.tenant_id = $1
      and v.entry = value_entry('contact', asked.key, asked.value)
      limit :most + 1
    ) few
  ) as n
  from asked
), rarest as materialized (select key, value, n from counted order by n limit 1)
select case when rarest.n <= :most then array(
  select v.record_id
  from value_entries v
  where v.tenant_id = $1
  and v.entry = value_entry('contact', rarest.key, rarest.value)
) end
from rarest;

-- read_feed
with seen as materialized (
  select f.position, f.change_id, f.type, f.at
  from feed f
  where f.tenant_id = $1
  and f.position > :position::bigint
  order by f.position
  limit :scanned
), asked as materialized (
  select s.position, s.change_id
  from seen s
  where s.type = any(:types::text[])
  order by s.position
  limit :limit
), found as materialized (
  select a.position, h.id, h.at, h.type, h.resource_id, h.company_id, h.action, h.changed, h.changed_by,
    sum(0 + coalesce(octet_length(h.changed), 0)) over (order by a.position) - (0 + coalesce(octet_length(h.changed),
    0)) as before
  from asked a
  join changes h on h.tenant_id = $1
  and h.id = a.change_id
), page as materialized (select f.* from found f where f.before < 1048576), reached as materialized (
  select s.position, s.at, s.position < (select max(position) from seen)
  or (select count(*) from seen) = :scanned as has_more
  from seen s
  where s.position <= case when (select count(*) from page) < (select count(*) from found) then (select max(position) from page) when (select count(*) from asked) = :limit then (select max(position) from asked) else (select max(position) from seen) end
  order by s.position desc
  limit 1
)
select r.position, r.at, r.has_more, h.id, h.at, case when h.type in ('hidden_contact',
  'hidden_address') then replace(h.type, 'hidden_', '') else h.type end, h.resource_id,
  case when h.type in ('hidden_contact',
  'hidden_address') then h.changed::json ->> 'company_id' else h.company_id::text end, h.action,
  case when h.type in ('hidden_contact', 'hidden_address') then '{}' else h.changed end, h.changed_by,
  case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end
from reached r
left join page h on true
order by h.position;

-- read_import_chunks
select id, content
from import_chunks
where tenant_id = $1
and import_id = :id
and id > :after
and part = :part
order by id
limit 8;

-- read_newest
with seen as materialized (
  select f.position, f.change_id, f.type, f.at
  from feed f
  where f.tenant_id = $1
  order by f.position desc
  limit :scanned
), asked as materialized (
  select s.position, s.change_id
  from seen s
  where s.type = any(:types::text[])
  order by s.position desc
  limit :limit
), found as materialized (
  select a.position, h.id, h.at, h.type, h.resource_id, h.company_id, h.action, h.changed, h.changed_by,
    sum(0 + coalesce(octet_length(h.changed),
    0)) over (order by a.position desc) - (0 + coalesce(octet_length(h.changed), 0)) as before
  from asked a
  join changes h on h.tenant_id = $1
  and h.id = a.change_id
), reached as materialized (select s.position, s.at from seen s order by s.position desc limit 1)
select r.position, r.at, h.id, h.at, case when h.type in ('hidden_contact', 'hidden_address') then replace(h.type,
  'hidden_', '') else h.type end, h.resource_id, case when h.type in ('hidden_contact',
  'hidden_address') then h.changed::json ->> 'company_id' else h.company_id::text end, h.action,
  case when h.type in ('hidden_contact', 'hidden_address') then '{}' else h.changed end, h.changed_by,
  case when h.changed_by like 'mcp:%:%' then (
  select concat_ws(chr(31), k.name, u.name)
  from api_keys k
  left join users u on u.tenant_id = $1
  and u.id = split_part(h.changed_by, ':', 3)::bigint
  where k.tenant_id = $1
  and k.id = split_part(h.changed_by, ':', 2)::bigint
) when h.changed_by like 'key:%'
or h.changed_by like 'mcp:%' then (
  select k.name
  from api_keys k
  where k.tenant_id = $1
  and k.id = substr(h.changed_by, 5)::bigint
) when h.changed_by like 'user:%' then (
  select u.name
  from users u
  where u.tenant_id = $1
  and u.id = substr(h.changed_by, 6)::bigint
) end
from reached r
left join found h on h.before < 1048576
order by h.position desc;

-- receivables
with later as materialized (
  select p.invoice_id, sum(p.amount) as amount
  from payments p
  where p.tenant_id = $1
  and p.deleted_at is null
  and p.paid_on > :as_of::date
  group by p.invoice_id
), rests as (
  select i.company_id, coalesce(i.currency, '') as currency,
    (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as rest,
    (case when i.due_on is null then i.terms_due_on else i.due_on end) as due
  from invoices i
  where i.tenant_id = $1
  and (:company::bigint is null or i.company_id = :company::bigint)
  and i.status = 'issued'
  and (:as_of::date is null or coalesce(i.issued_on,
    (i.created_at at time zone(select t.time_zone from tenants t where t.id = $1))::date) <= :as_of::date)
  and (:as_of::date is null or i.id not in (select p.invoice_id from later p))
  union all
  select i.company_id, coalesce(i.currency, '') as currency,
    (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as rest,
    (case when i.due_on is null then i.terms_due_on else i.due_on end) as due
  from invoices i
  where i.tenant_id = $1
  and (:company::bigint is null or i.company_id = :company::bigint)
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (:as_of::date is null or coalesce(i.issued_on,
    (i.created_at at time zone(select t.time_zone from tenants t where t.id = $1))::date) <= :as_of::date)
  and (:as_of::date is null or i.id not in (select p.invoice_id from later p))
  union all
  select i.company_id, coalesce(i.currency, '') as currency,
    (case when i.status = 'cancelled' then 0 else i.total end - i.paid) + p.amount,
    (case when i.due_on is null then i.terms_due_on else i.due_on end)
  from later p
  join invoices i on i.tenant_id = $1
  and i.id = p.invoice_id
  where i.tenant_id = $1
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:as_of::date is null or coalesce(i.issued_on,
    (i.created_at at time zone(select t.time_zone from tenants t where t.id = $1))::date) <= :as_of::date)
  and i.status in ('issued', 'paid', 'cancelled')
), buckets as (
  select l.company_id, l.currency,
    coalesce(sum(l.rest) filter(where l.rest > 0 and (l.due is null or l.due >= :day::date)), 0) as not_due,
    coalesce(sum(l.rest) filter(where l.rest > 0 and l.due < :day::date - 0 and l.due >= :day::date - 30),
    0) as days_1_30,
    coalesce(sum(l.rest) filter(where l.rest > 0 and l.due < :day::date - 30 and l.due >= :day::date - 60),
    0) as days_31_60,
    coalesce(sum(l.rest) filter(where l.rest > 0 and l.due < :day::date - 60 and l.due >= :day::date - 90),
    0) as days_61_90, coalesce(sum(l.rest) filter(where l.rest > 0 and l.due < :day::date - 90), 0) as days_over_90,
    coalesce(sum(l.rest) filter(where l.rest < 0), 0) as paid_too_much,
    min(l.due) filter(where l.rest > 0) as first_due, count(*) filter(where l.rest > 0) as invoices
  from rests l
  where l.rest <> 0
  group by l.company_id, l.currency
), by_company as materialized (
  select b.company_id, b.currency, b.not_due + b.days_1_30 + b.days_31_60 + b.days_61_90 + b.days_over_90 as owed,
    b.days_1_30 + b.days_31_60 + b.days_61_90 + b.days_over_90 as overdue, b.not_due, b.days_1_30, b.days_31_60,
    b.days_61_90, b.days_over_90, -b.paid_too_much as paid_too_much,
    case when b.first_due < :day::date then b.first_due end as oldest, b.invoices
  from buckets b
), shown as materialized (
  select b.*
  from by_company b
  where (:currency::text is null or b.currency = :currency)
  and (not :overdue_only::boolean or b.overdue > 0)
  and (:assigned_to::bigint is null or exists (
    select
    from companies c
    where c.tenant_id = $1
    and c.id = b.company_id
    and (:assigned_to::bigint is null or coalesce(c.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))
  ))
), page as (
  select b.*
  from shown b
  order by b.overdue desc, b.owed desc, b.company_id, b.currency
  limit :limit
  offset :offset
)
select s.company_id, s.name, s.owner, s.currency, s.oldest, s.invoices, s.companies, s.rows, s.owed, s.overdue,
  s.not_due, s.days_1_30, s.days_31_60, s.days_61_90, s.days_over_90, s.paid_too_much
from ((
  select null::bigint as company_id, '' as name, null::bigint as owner, b.currency, min(b.oldest) as oldest,
    sum(b.invoices) as invoices, count(*) filter(where b.owed > 0) as companies, sum(count(*)) over () as rows,
    sum(b.owed) as owed, sum(b.overdue) as overdue, sum(b.not_due) as not_due, sum(b.days_1_30) as days_1_30,
    sum(b.days_31_60) as days_31_60, sum(b.days_61_90) as days_61_90, sum(b.days_over_90) as days_over_90,
    sum(b.paid_too_much) as paid_too_much
  from shown b
  group by b.currency
  order by invoices desc, b.currency
  limit 200
) union all select b.company_id, c.name, c.assigned_to, b.currency, b.oldest, b.invoices, 1, 1, b.owed, b.overdue,
  b.not_due, b.days_1_30, b.days_31_60, b.days_61_90, b.days_over_90,
  b.paid_too_much from page b join companies c on c.tenant_id = $1 and c.id = b.company_id) s
order by s.company_id is not null, s.overdue * (s.company_id is not null)::int desc,
  case when s.company_id is null then s.invoices end desc, s.owed desc, s.company_id, s.currency;

-- record_news_of_orders
update invoices i set wms_status = case when n.is_there
and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) then n.status else i.wms_status end, wms_is_final = coalesce(lower(case when n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) then n.status else i.wms_status end) = any(:final_statuses::text[]), false), wms_gone_at = case when not n.is_there then coalesce(i.wms_gone_at, to_timestamp(:at::double precision / 1000)) end, wms_moved_at = case when (case when n.is_there then i.wms_gone_at is not null or (n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.status is distinct from i.wms_status) else i.wms_gone_at is null end) then to_timestamp(:at::double precision / 1000) else i.wms_moved_at end, wms_order_number = case when n.is_there
and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) then n.order_number else i.wms_order_number end, wms_updated_at = case when n.is_there
and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) then coalesce(n.updated_at,
  i.wms_updated_at) else i.wms_updated_at end, wms_error = case when n.is_there then nullif(i.wms_error,
  :gone) else :gone end, wms_synced_at = to_timestamp(:at::double precision / 1000),
  wms_poll_every = case when ((case when n.is_there then i.wms_gone_at is not null or (n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.status is distinct from i.wms_status) else i.wms_gone_at is null end) or n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.order_number is distinct from i.wms_order_number) then :poll_seconds::integer else least(coalesce(i.wms_poll_every, :poll_seconds::integer) * 2, :most_seconds::integer) end, wms_poll_at = case when not n.is_there
or coalesce(lower(case when n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) then n.status else i.wms_status end) = any(:final_statuses::text[]), false)
and i.wms_settled_at is not null
and not (case when n.is_there then i.wms_gone_at is not null or (n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.status is distinct from i.wms_status) else i.wms_gone_at is null end) then to_timestamp(:at::double precision / 1000 + greatest(:poll_seconds::integer, 86400)) when coalesce(lower(case when n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) then n.status else i.wms_status end) = any(:final_statuses::text[]), false) then null else to_timestamp(:at::double precision / 1000 + case when ((case when n.is_there then i.wms_gone_at is not null or (n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.status is distinct from i.wms_status) else i.wms_gone_at is null end) or n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.order_number is distinct from i.wms_order_number) then :poll_seconds::integer else least(coalesce(i.wms_poll_every, :poll_seconds::integer) * 2, :most_seconds::integer) end) end, changed_by = case when ((case when n.is_there then i.wms_gone_at is not null or (n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.status is distinct from i.wms_status) else i.wms_gone_at is null end) or n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.order_number is distinct from i.wms_order_number) then 'worker' else i.changed_by end, updated_at = case when ((case when n.is_there then i.wms_gone_at is not null or (n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.status is distinct from i.wms_status) else i.wms_gone_at is null end) or n.is_there and (i.wms_updated_at is null or n.updated_at is null or n.updated_at >= i.wms_updated_at) and n.order_number is distinct from i.wms_order_number) then moment_after(i.updated_at) else i.updated_at end
from json_to_recordset(:news::json) as n(id bigint, order_id bigint, is_there boolean, order_number text, status text,
  updated_at timestamptz)
where i.tenant_id = $1
and i.id = n.id
and n.id = n.id + 0
and i.wms_order_id = n.order_id
and i.wms_instance = :instance;

-- record_order
update invoices set wms_state = 'sent', wms_owns_order = true, wms_error = :remark, wms_instance = :instance,
  wms_order_id = :order_id, wms_order_number = :order_number, wms_status = :status, wms_updated_at = :updated_at,
  wms_synced_at = :at, wms_open_since = null, wms_is_final = :next_seconds::integer is null, wms_moved_at = :at,
  wms_poll_every = :poll_seconds::integer, wms_poll_at = now() + :next_seconds::integer * interval '1 second',
  changed_by = 'worker', updated_at = moment_after(updated_at)
where tenant_id = $1
and id = :id
and wms_attempt = :attempt
and not wms_owns_order
and (wms_state in ('sending', 'unknown', 'queued') or wms_state = 'sent' and :is_own::boolean);

-- rename_view
update list_views set name = :name
where tenant_id = $1
and id = :id
and (user_id = :userId or is_for_all and :isAdmin)
and list = :list
returning id;

-- reread_import
update imports i set encoding = :encoding, delimiter = :delimiter, clears_empty = :clearsEmpty, columns = :columns,
  language = :language, reading = :rest, state = :state, kind = :kind
where i.tenant_id = $1
and i.id = :id
and i.state in ('checked', 'mapping')
and i.forgotten_at is null
and md5(i.kind || coalesce(i.encoding::text, '') || '/' || coalesce(i.delimiter::text,
  '') || '/' || coalesce(i.clears_empty::text, '') || '/' || coalesce(i.columns::text,
  '') || '/' || coalesce(i.language::text, '') || '/' || coalesce(i.reading::text,
  '') || '/' || coalesce(i.runner::text, '') || '/') = :version
returning i.id;

-- reserve_mail
update mails set attempted_at = now()
where tenant_id = $1
and id = (
  select m.id
  from mails m
  cross join lateral (
    select count(*) as others,
      count(*) filter(where o.kind = any(:linkKinds::text[]) and o.user_id = m.user_id) as links,
      min(o.attempted_at) as first
    from mails o
    where o.tenant_id = $1
    and o.attempted_at > now() - interval '1 hour'
    and o.id <> m.id
    and o.kind = any(:counted::text[])
  ) o
  where m.tenant_id = $1
  and m.id = :id
  and o.others < :most
  and (m.kind <> all(:linkKinds::text[]) or o.links < :mostLinks)
)
returning id;

-- revoke_links_of_user
update invitations i set revoked_at = now(), changed_by = :by, updated_at = moment_after(i.updated_at)
from users u
where u.tenant_id = $1
and u.id = :user
and u.email is distinct
from :unless
and i.tenant_id = $1
and lower(i.email) = lower(u.email)
and i.for_user = :user
and i.accepted_at is null
and i.revoked_at is null;

-- sales_by_city
with noted as materialized (
  select n.company_id
  from changed_sales n
  where n.tenant_id = $1
  order by n.id
  limit 5001
), changed as materialized (select distinct n.company_id from noted n), kept as materialized (
  select case when (select count(*) from noted) <= 5000 then (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) end as until
), years as materialized (
  select y.at, y.first, y.last,
    (extract(year from y.first)::integer * 12 + extract(month from y.first)::integer - 1) + (extract(day from y.first) > 1)::integer as first_month, case when k.until is not null
  and :assigned_to::bigint is null
  and :unit::text <> 'week' then least(k.until,
    (extract(year from (y.last + 1))::integer * 12 + extract(month from (y.last + 1))::integer - 1) - 1) end as last_month
  from kept k
  cross join (values(0, :from::date, :to::date), (1, :before_from::date, :before_to::date)) y(at, first, last)
), days as materialized (
  select y.at, y.first, case when y.last_month >= y.first_month then make_date((y.first_month) / 12,
    (y.first_month) % 12 + 1, 1) - 1 else y.last end as last
  from years y
  union all
  select y.at, make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1), y.last
  from years y
  where y.last_month >= y.first_month
), year_0 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 0
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 0
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), year_1 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 1
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 1
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), kept_companies as materialized (
  select s.company_id, s.currency, s.months[1] as first_month,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.sold[width_bucket (y0.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as sold,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.sold[width_bucket (y1.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as sold_before,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.invoices[width_bucket (y0.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as invoices,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.invoices[width_bucket (y1.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as invoices_before
  from kept k
  cross join years y0
  cross join years y1
  cross join company_sales s
  where k.until is not null
  and y0.at = 0
  and y1.at = 1
  and s.tenant_id = $1
  and (:currency::text is null or nullif(s.currency, '') = :currency)
  and s.company_id not in (select n.company_id from changed n)
), kept_months as (
  select y.at, m.month, m.currency, m.sold, m.invoices
  from years y
  join month_sales m on m.tenant_id = $1
  and m.month between y.first_month
  and y.last_month
  where (:currency::text is null or nullif(m.currency, '') = :currency)
  union all
  select y.at, m.month, s.currency, m.before - m.sold, m.invoices_before - m.invoices
  from changed n
  cross join lateral (
    select s.*
    from company_sales s
    where s.tenant_id = $1
    and s.company_id = n.company_id
    and (:currency::text is null or nullif(s.currency, '') = :currency)
  ) s
  cross join lateral (
    select u.*, lag(u.sold, 1, 0) over w as before, lag(u.invoices, 1, 0) over w as invoices_before
    from unnest(s.months, s.sold, s.invoices) u(month, sold, invoices) window w as (order by u.month)
  ) m
  join years y on m.month between y.first_month
  and y.last_month
), grouped as materialized (
  select y.company_id, y.day, y.currency, sum(y.sold) as sold, sum(y.sold_before) as sold_before,
    sum(y.invoices)::bigint as invoices, sum(y.invoices_before)::bigint as invoices_before,
    min(y.first_month) as first_month
  from (
    select y.company_id, y.day, coalesce(y.currency, '') as currency, case when y.at = 0 then coalesce(y.sold,
      0) else 0 end, case when y.at = 1 then coalesce(y.sold, 0) else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null::integer
    from (select n.*, 0 as at from year_0 n union all select n.*, 1 from year_1 n) y
    union all
    select k.company_id, null, k.currency, k.sold, k.sold_before, k.invoices, k.invoices_before, k.first_month
    from kept_companies k
    union all
    select null, make_date((y.month) / 12, (y.month) % 12 + 1, 1), y.currency,
      case when y.at = 0 then y.sold else 0 end, case when y.at = 1 then y.sold else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null
    from kept_months y
  ) y(company_id, day, currency, sold, sold_before, invoices, invoices_before, first_month)
  group by y.company_id, y.day, y.currency
), by_company as (
  select g.*
  from grouped g
  where g.company_id is not null
  and g.invoices + g.invoices_before > 0
), companies_of as materialized (
  select b.currency, count(*) filter(where b.invoices > 0) as companies,
    count(*) filter(where b.invoices_before > 0) as companies_before,
    count(*) filter(where b.invoices > 0 and (b.invoices_before = 0 or :before_to::date >= :from::date) and (b.first_month is null or b.first_month >= (extract(year from :from::date)::integer * 12 + extract(month from :from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :from::date
    limit 1
  ) is null) as new_companies,
    count(*) filter(where b.invoices_before > 0 and (b.first_month is null or b.first_month >= (extract(year from :before_from::date)::integer * 12 + extract(month from :before_from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :before_from::date
    limit 1
  ) is null) as new_companies_before
  from by_company b
  group by b.currency
), totals as materialized (
  select t.*, c.companies, c.companies_before, c.new_companies, c.new_companies_before
  from (
    select b.currency, sum(b.sold) as sold, sum(b.sold_before) as sold_before, sum(b.invoices) as invoices,
      sum(b.invoices_before) as invoices_before
    from grouped b
    where b.day is not null
    group by b.currency
  ) t
  join companies_of c on c.currency = t.currency
), said as materialized (
  select t.*
  from totals t
  order by t.invoices + t.invoices_before desc, t.currency
  limit 200
), both_years as (
  select d.day, d.currency, b.*
  from grouped d
  cross join lateral (values(false, d.sold, 0, d.invoices, 0), (true, 0, d.sold_before, 0,
    d.invoices_before)) b(is_before, sold, sold_before, invoices, invoices_before)
  where d.day is not null
  and b.invoices + b.invoices_before > 0
), columns as (
  select b.currency,
    case :unit::text when 'week' then least((b.day - case when b.is_before then :before_from::date else :from::date end + extract(isodow from :from::date)::int - 1) / 7, (:to::date - :from::date + extract(isodow from :from::date)::int - 1) / 7) else extract(year from b.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from b.day)::int else 0 end - (
    select extract(year from f.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from f.day)::int else 0 end
    from (
      select case when b.is_before then :before_from::date else :from::date end as day
    ) f
  ) end as place, sum(b.sold) as sold, sum(b.sold_before) as sold_before
  from both_years b
  where b.currency in (select s.currency from said s)
  group by b.currency, place
), by_key as materialized (
  select nullif(min(c.city), '') as key, null::text as name, b.currency, sum(b.sold) as sold,
    sum(b.sold_before) as sold_before, sum(b.invoices) as invoices, sum(b.invoices_before) as invoices_before
  from by_company b
  join companies c on c.tenant_id = $1
  and c.id = b.company_id
  group by fold(coalesce(c.city, '')), b.currency
), ranked as (
  select s.*, t.invoices + t.invoices_before as weight, t.sold as whole
  from by_key s
  join totals t on t.currency = s.currency
), listed as (
  select s.*
  from ranked s
  where not :stopped_only::boolean
  or (s.invoices = 0 and s.invoices_before > 0)
), page as materialized (
  select s.*
  from listed s
  order by s.weight desc, s.currency, s.sold desc, s.sold_before desc, s.key
  limit :limit
  offset :offset
)
select s.totals, s.columns, s.rows, s.total, s.has_too_many_lines, s.drafts, s.cancelled, s.undated, s.is_behind
from (
  select (
    select json_agg(r order by r.invoices + r.invoices_before desc, r.currency)
    from (
      select t.currency, case when t.sold = 0 then '0' else round(t.sold, greatest(min_scale(t.sold),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when t.sold_before = 0 then '0' else round(t.sold_before, greatest(min_scale(t.sold_before),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before, t.invoices, t.invoices_before, t.companies,
        t.companies_before, t.new_companies, t.new_companies_before, round(t.sold / nullif(t.invoices, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average, round(t.sold_before / nullif(t.invoices_before, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average_before
      from said t
    ) r
  ) as totals, (
    select json_agg(r)
    from (
      select c.currency, c.place, case when c.sold = 0 then '0' else round(c.sold, greatest(min_scale(c.sold),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when c.sold_before = 0 then '0' else round(c.sold_before, greatest(min_scale(c.sold_before),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before
      from columns c
    ) r
  ) as columns, (
    select json_agg(r order by r.place)
    from (
      select row_number() over (order by p.weight desc, p.currency, p.sold desc, p.sold_before desc, p.key) as place,
        p.key, p.name as name, p.currency, case when p.sold = 0 then '0' else round(p.sold, greatest(min_scale(p.sold),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when p.sold_before = 0 then '0' else round(p.sold_before, greatest(min_scale(p.sold_before),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before,
        case when (p.sold - p.sold_before) = 0 then '0' else round((p.sold - p.sold_before),
        greatest(min_scale((p.sold - p.sold_before)), case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK',
        'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
        'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
        'TND') then 3 else 2 end))::text end as difference, p.invoices, p.invoices_before,
        round(100 * p.sold / nullif(p.whole, 0), 1)::text as share, null::date as last_issued_on
      from page p
    ) r
  ) as rows, (select count(*) from listed) as total, false as has_too_many_lines, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'draft'
  ) as drafts, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'cancelled'
  ) as cancelled, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on is null
    and i.status in ('issued', 'paid')
  ) as undated,
    ((select count(*) > 100 from noted) or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) is null or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) < (extract(year from (current_date - 7))::integer * 12 + extract(month from (current_date - 7))::integer - 1) - 1)
  and (
    select sum(y.invoices)
    from (select * from year_0 union all select * from year_1) y
    where y.day is not null
  ) > 20000 as is_behind
) s;

-- sales_by_company
with noted as materialized (
  select n.company_id
  from changed_sales n
  where n.tenant_id = $1
  order by n.id
  limit 5001
), changed as materialized (select distinct n.company_id from noted n), kept as materialized (
  select case when (select count(*) from noted) <= 5000 then (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) end as until
), years as materialized (
  select y.at, y.first, y.last,
    (extract(year from y.first)::integer * 12 + extract(month from y.first)::integer - 1) + (extract(day from y.first) > 1)::integer as first_month, case when k.until is not null
  and :assigned_to::bigint is null
  and :unit::text <> 'week' then least(k.until,
    (extract(year from (y.last + 1))::integer * 12 + extract(month from (y.last + 1))::integer - 1) - 1) end as last_month
  from kept k
  cross join (values(0, :from::date, :to::date), (1, :before_from::date, :before_to::date)) y(at, first, last)
), days as materialized (
  select y.at, y.first, case when y.last_month >= y.first_month then make_date((y.first_month) / 12,
    (y.first_month) % 12 + 1, 1) - 1 else y.last end as last
  from years y
  union all
  select y.at, make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1), y.last
  from years y
  where y.last_month >= y.first_month
), year_0 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 0
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 0
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), year_1 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 1
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 1
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), kept_companies as materialized (
  select s.company_id, s.currency, s.months[1] as first_month,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.sold[width_bucket (y0.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as sold,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.sold[width_bucket (y1.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as sold_before,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.invoices[width_bucket (y0.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as invoices,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.invoices[width_bucket (y1.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as invoices_before
  from kept k
  cross join years y0
  cross join years y1
  cross join company_sales s
  where k.until is not null
  and y0.at = 0
  and y1.at = 1
  and s.tenant_id = $1
  and (:currency::text is null or nullif(s.currency, '') = :currency)
  and s.company_id not in (select n.company_id from changed n)
), kept_months as (
  select y.at, m.month, m.currency, m.sold, m.invoices
  from years y
  join month_sales m on m.tenant_id = $1
  and m.month between y.first_month
  and y.last_month
  where (:currency::text is null or nullif(m.currency, '') = :currency)
  union all
  select y.at, m.month, s.currency, m.before - m.sold, m.invoices_before - m.invoices
  from changed n
  cross join lateral (
    select s.*
    from company_sales s
    where s.tenant_id = $1
    and s.company_id = n.company_id
    and (:currency::text is null or nullif(s.currency, '') = :currency)
  ) s
  cross join lateral (
    select u.*, lag(u.sold, 1, 0) over w as before, lag(u.invoices, 1, 0) over w as invoices_before
    from unnest(s.months, s.sold, s.invoices) u(month, sold, invoices) window w as (order by u.month)
  ) m
  join years y on m.month between y.first_month
  and y.last_month
), grouped as materialized (
  select y.company_id, y.day, y.currency, sum(y.sold) as sold, sum(y.sold_before) as sold_before,
    sum(y.invoices)::bigint as invoices, sum(y.invoices_before)::bigint as invoices_before,
    min(y.first_month) as first_month
  from (
    select y.company_id, y.day, coalesce(y.currency, '') as currency, case when y.at = 0 then coalesce(y.sold,
      0) else 0 end, case when y.at = 1 then coalesce(y.sold, 0) else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null::integer
    from (select n.*, 0 as at from year_0 n union all select n.*, 1 from year_1 n) y
    union all
    select k.company_id, null, k.currency, k.sold, k.sold_before, k.invoices, k.invoices_before, k.first_month
    from kept_companies k
    union all
    select null, make_date((y.month) / 12, (y.month) % 12 + 1, 1), y.currency,
      case when y.at = 0 then y.sold else 0 end, case when y.at = 1 then y.sold else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null
    from kept_months y
  ) y(company_id, day, currency, sold, sold_before, invoices, invoices_before, first_month)
  group by y.company_id, y.day, y.currency
), by_company as (
  select g.*
  from grouped g
  where g.company_id is not null
  and g.invoices + g.invoices_before > 0
), companies_of as materialized (
  select b.currency, count(*) filter(where b.invoices > 0) as companies,
    count(*) filter(where b.invoices_before > 0) as companies_before,
    count(*) filter(where b.invoices > 0 and (b.invoices_before = 0 or :before_to::date >= :from::date) and (b.first_month is null or b.first_month >= (extract(year from :from::date)::integer * 12 + extract(month from :from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :from::date
    limit 1
  ) is null) as new_companies,
    count(*) filter(where b.invoices_before > 0 and (b.first_month is null or b.first_month >= (extract(year from :before_from::date)::integer * 12 + extract(month from :before_from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :before_from::date
    limit 1
  ) is null) as new_companies_before
  from by_company b
  group by b.currency
), totals as materialized (
  select t.*, c.companies, c.companies_before, c.new_companies, c.new_companies_before
  from (
    select b.currency, sum(b.sold) as sold, sum(b.sold_before) as sold_before, sum(b.invoices) as invoices,
      sum(b.invoices_before) as invoices_before
    from grouped b
    where b.day is not null
    group by b.currency
  ) t
  join companies_of c on c.currency = t.currency
), said as materialized (
  select t.*
  from totals t
  order by t.invoices + t.invoices_before desc, t.currency
  limit 200
), both_years as (
  select d.day, d.currency, b.*
  from grouped d
  cross join lateral (values(false, d.sold, 0, d.invoices, 0), (true, 0, d.sold_before, 0,
    d.invoices_before)) b(is_before, sold, sold_before, invoices, invoices_before)
  where d.day is not null
  and b.invoices + b.invoices_before > 0
), columns as (
  select b.currency,
    case :unit::text when 'week' then least((b.day - case when b.is_before then :before_from::date else :from::date end + extract(isodow from :from::date)::int - 1) / 7, (:to::date - :from::date + extract(isodow from :from::date)::int - 1) / 7) else extract(year from b.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from b.day)::int else 0 end - (
    select extract(year from f.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from f.day)::int else 0 end
    from (
      select case when b.is_before then :before_from::date else :from::date end as day
    ) f
  ) end as place, sum(b.sold) as sold, sum(b.sold_before) as sold_before
  from both_years b
  where b.currency in (select s.currency from said s)
  group by b.currency, place
), by_key as materialized (
  select b.company_id::text as key, null::text as name, b.currency, b.sold, b.sold_before, b.invoices, b.invoices_before
  from by_company b
), ranked as (
  select s.*, t.invoices + t.invoices_before as weight, t.sold as whole
  from by_key s
  join totals t on t.currency = s.currency
), listed as (
  select s.*
  from ranked s
  where not :stopped_only::boolean
  or (s.invoices = 0 and s.invoices_before > 0)
), page as materialized (
  select s.*
  from listed s
  order by s.weight desc, s.currency, s.sold desc, s.sold_before desc, s.key
  limit :limit
  offset :offset
)
select s.totals, s.columns, s.rows, s.total, s.has_too_many_lines, s.drafts, s.cancelled, s.undated, s.is_behind
from (
  select (
    select json_agg(r order by r.invoices + r.invoices_before desc, r.currency)
    from (
      select t.currency, case when t.sold = 0 then '0' else round(t.sold, greatest(min_scale(t.sold),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when t.sold_before = 0 then '0' else round(t.sold_before, greatest(min_scale(t.sold_before),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before, t.invoices, t.invoices_before, t.companies,
        t.companies_before, t.new_companies, t.new_companies_before, round(t.sold / nullif(t.invoices, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average, round(t.sold_before / nullif(t.invoices_before, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average_before
      from said t
    ) r
  ) as totals, (
    select json_agg(r)
    from (
      select c.currency, c.place, case when c.sold = 0 then '0' else round(c.sold, greatest(min_scale(c.sold),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when c.sold_before = 0 then '0' else round(c.sold_before, greatest(min_scale(c.sold_before),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before
      from columns c
    ) r
  ) as columns, (
    select json_agg(r order by r.place)
    from (
      select row_number() over (order by p.weight desc, p.currency, p.sold desc, p.sold_before desc, p.key) as place,
        p.key, (
        select c.name
        from companies c
        where c.tenant_id = $1
        and c.id = p.key::bigint
      ) as name, p.currency, case when p.sold = 0 then '0' else round(p.sold, greatest(min_scale(p.sold),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when p.sold_before = 0 then '0' else round(p.sold_before, greatest(min_scale(p.sold_before),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before,
        case when (p.sold - p.sold_before) = 0 then '0' else round((p.sold - p.sold_before),
        greatest(min_scale((p.sold - p.sold_before)), case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK',
        'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
        'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
        'TND') then 3 else 2 end))::text end as difference, p.invoices, p.invoices_before,
        round(100 * p.sold / nullif(p.whole, 0), 1)::text as share, case when p.invoices = 0 then (
        select max(i.issued_on)
        from invoices i
        where i.tenant_id = $1
        and i.company_id = p.key::bigint
        and i.status in ('issued', 'paid')
        and i.issued_on < :from::date
      ) end as last_issued_on
      from page p
    ) r
  ) as rows, (select count(*) from listed) as total, false as has_too_many_lines, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'draft'
  ) as drafts, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'cancelled'
  ) as cancelled, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on is null
    and i.status in ('issued', 'paid')
  ) as undated,
    ((select count(*) > 100 from noted) or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) is null or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) < (extract(year from (current_date - 7))::integer * 12 + extract(month from (current_date - 7))::integer - 1) - 1)
  and (
    select sum(y.invoices)
    from (select * from year_0 union all select * from year_1) y
    where y.day is not null
  ) > 20000 as is_behind
) s;

-- sales_by_month
with noted as materialized (
  select n.company_id
  from changed_sales n
  where n.tenant_id = $1
  order by n.id
  limit 5001
), changed as materialized (select distinct n.company_id from noted n), kept as materialized (
  select case when (select count(*) from noted) <= 5000 then (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) end as until
), years as materialized (
  select y.at, y.first, y.last,
    (extract(year from y.first)::integer * 12 + extract(month from y.first)::integer - 1) + (extract(day from y.first) > 1)::integer as first_month, case when k.until is not null
  and :assigned_to::bigint is null
  and :unit::text <> 'week' then least(k.until,
    (extract(year from (y.last + 1))::integer * 12 + extract(month from (y.last + 1))::integer - 1) - 1) end as last_month
  from kept k
  cross join (values(0, :from::date, :to::date), (1, :before_from::date, :before_to::date)) y(at, first, last)
), days as materialized (
  select y.at, y.first, case when y.last_month >= y.first_month then make_date((y.first_month) / 12,
    (y.first_month) % 12 + 1, 1) - 1 else y.last end as last
  from years y
  union all
  select y.at, make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1), y.last
  from years y
  where y.last_month >= y.first_month
), year_0 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 0
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 0
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), year_1 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 1
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 1
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), kept_companies as materialized (
  select s.company_id, s.currency, s.months[1] as first_month,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.sold[width_bucket (y0.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as sold,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.sold[width_bucket (y1.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as sold_before,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.invoices[width_bucket (y0.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as invoices,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.invoices[width_bucket (y1.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as invoices_before
  from kept k
  cross join years y0
  cross join years y1
  cross join company_sales s
  where k.until is not null
  and y0.at = 0
  and y1.at = 1
  and s.tenant_id = $1
  and (:currency::text is null or nullif(s.currency, '') = :currency)
  and s.company_id not in (select n.company_id from changed n)
), kept_months as (
  select y.at, m.month, m.currency, m.sold, m.invoices
  from years y
  join month_sales m on m.tenant_id = $1
  and m.month between y.first_month
  and y.last_month
  where (:currency::text is null or nullif(m.currency, '') = :currency)
  union all
  select y.at, m.month, s.currency, m.before - m.sold, m.invoices_before - m.invoices
  from changed n
  cross join lateral (
    select s.*
    from company_sales s
    where s.tenant_id = $1
    and s.company_id = n.company_id
    and (:currency::text is null or nullif(s.currency, '') = :currency)
  ) s
  cross join lateral (
    select u.*, lag(u.sold, 1, 0) over w as before, lag(u.invoices, 1, 0) over w as invoices_before
    from unnest(s.months, s.sold, s.invoices) u(month, sold, invoices) window w as (order by u.month)
  ) m
  join years y on m.month between y.first_month
  and y.last_month
), grouped as materialized (
  select y.company_id, y.day, y.currency, sum(y.sold) as sold, sum(y.sold_before) as sold_before,
    sum(y.invoices)::bigint as invoices, sum(y.invoices_before)::bigint as invoices_before,
    min(y.first_month) as first_month
  from (
    select y.company_id, y.day, coalesce(y.currency, '') as currency, case when y.at = 0 then coalesce(y.sold,
      0) else 0 end, case when y.at = 1 then coalesce(y.sold, 0) else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null::integer
    from (select n.*, 0 as at from year_0 n union all select n.*, 1 from year_1 n) y
    union all
    select k.company_id, null, k.currency, k.sold, k.sold_before, k.invoices, k.invoices_before, k.first_month
    from kept_companies k
    union all
    select null, make_date((y.month) / 12, (y.month) % 12 + 1, 1), y.currency,
      case when y.at = 0 then y.sold else 0 end, case when y.at = 1 then y.sold else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null
    from kept_months y
  ) y(company_id, day, currency, sold, sold_before, invoices, invoices_before, first_month)
  group by y.company_id, y.day, y.currency
), by_company as (
  select g.*
  from grouped g
  where g.company_id is not null
  and g.invoices + g.invoices_before > 0
), companies_of as materialized (
  select b.currency, count(*) filter(where b.invoices > 0) as companies,
    count(*) filter(where b.invoices_before > 0) as companies_before,
    count(*) filter(where b.invoices > 0 and (b.invoices_before = 0 or :before_to::date >= :from::date) and (b.first_month is null or b.first_month >= (extract(year from :from::date)::integer * 12 + extract(month from :from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :from::date
    limit 1
  ) is null) as new_companies,
    count(*) filter(where b.invoices_before > 0 and (b.first_month is null or b.first_month >= (extract(year from :before_from::date)::integer * 12 + extract(month from :before_from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :before_from::date
    limit 1
  ) is null) as new_companies_before
  from by_company b
  group by b.currency
), totals as materialized (
  select t.*, c.companies, c.companies_before, c.new_companies, c.new_companies_before
  from (
    select b.currency, sum(b.sold) as sold, sum(b.sold_before) as sold_before, sum(b.invoices) as invoices,
      sum(b.invoices_before) as invoices_before
    from grouped b
    where b.day is not null
    group by b.currency
  ) t
  join companies_of c on c.currency = t.currency
), said as materialized (
  select t.*
  from totals t
  order by t.invoices + t.invoices_before desc, t.currency
  limit 200
), both_years as (
  select d.day, d.currency, b.*
  from grouped d
  cross join lateral (values(false, d.sold, 0, d.invoices, 0), (true, 0, d.sold_before, 0,
    d.invoices_before)) b(is_before, sold, sold_before, invoices, invoices_before)
  where d.day is not null
  and b.invoices + b.invoices_before > 0
), columns as (
  select b.currency,
    case :unit::text when 'week' then least((b.day - case when b.is_before then :before_from::date else :from::date end + extract(isodow from :from::date)::int - 1) / 7, (:to::date - :from::date + extract(isodow from :from::date)::int - 1) / 7) else extract(year from b.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from b.day)::int else 0 end - (
    select extract(year from f.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from f.day)::int else 0 end
    from (
      select case when b.is_before then :before_from::date else :from::date end as day
    ) f
  ) end as place, sum(b.sold) as sold, sum(b.sold_before) as sold_before
  from both_years b
  where b.currency in (select s.currency from said s)
  group by b.currency, place
), by_key as materialized (
  select to_char(b.month, 'YYYY-MM') as key, null::text as name, b.currency, sum(b.sold) as sold,
    sum(b.sold_before) as sold_before, sum(b.invoices) as invoices, sum(b.invoices_before) as invoices_before
  from (
    select date_trunc('month', b.day + case when b.is_before then interval '1 year' else interval '0' end) as month, b.*
    from both_years b
  ) b
  group by b.month, b.currency
), ranked as (
  select s.*, t.invoices + t.invoices_before as weight, t.sold as whole
  from by_key s
  join totals t on t.currency = s.currency
), listed as (
  select s.*
  from ranked s
  where not :stopped_only::boolean
  or (s.invoices = 0 and s.invoices_before > 0)
), page as materialized (
  select s.*
  from listed s
  order by s.weight desc, s.currency, s.key
  limit :limit
  offset :offset
)
select s.totals, s.columns, s.rows, s.total, s.has_too_many_lines, s.drafts, s.cancelled, s.undated, s.is_behind
from (
  select (
    select json_agg(r order by r.invoices + r.invoices_before desc, r.currency)
    from (
      select t.currency, case when t.sold = 0 then '0' else round(t.sold, greatest(min_scale(t.sold),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when t.sold_before = 0 then '0' else round(t.sold_before, greatest(min_scale(t.sold_before),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before, t.invoices, t.invoices_before, t.companies,
        t.companies_before, t.new_companies, t.new_companies_before, round(t.sold / nullif(t.invoices, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average, round(t.sold_before / nullif(t.invoices_before, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average_before
      from said t
    ) r
  ) as totals, (
    select json_agg(r)
    from (
      select c.currency, c.place, case when c.sold = 0 then '0' else round(c.sold, greatest(min_scale(c.sold),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when c.sold_before = 0 then '0' else round(c.sold_before, greatest(min_scale(c.sold_before),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before
      from columns c
    ) r
  ) as columns, (
    select json_agg(r order by r.place)
    from (
      select row_number() over (order by p.weight desc, p.currency, p.key) as place, p.key, p.name as name, p.currency,
        case when p.sold = 0 then '0' else round(p.sold, greatest(min_scale(p.sold),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when p.sold_before = 0 then '0' else round(p.sold_before, greatest(min_scale(p.sold_before),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before,
        case when (p.sold - p.sold_before) = 0 then '0' else round((p.sold - p.sold_before),
        greatest(min_scale((p.sold - p.sold_before)), case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK',
        'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
        'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
        'TND') then 3 else 2 end))::text end as difference, p.invoices, p.invoices_before,
        round(100 * p.sold / nullif(p.whole, 0), 1)::text as share, null::date as last_issued_on
      from page p
    ) r
  ) as rows, (select count(*) from listed) as total, false as has_too_many_lines, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'draft'
  ) as drafts, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'cancelled'
  ) as cancelled, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on is null
    and i.status in ('issued', 'paid')
  ) as undated,
    ((select count(*) > 100 from noted) or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) is null or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) < (extract(year from (current_date - 7))::integer * 12 + extract(month from (current_date - 7))::integer - 1) - 1)
  and (
    select sum(y.invoices)
    from (select * from year_0 union all select * from year_1) y
    where y.day is not null
  ) > 20000 as is_behind
) s;

-- sales_by_owner
with noted as materialized (
  select n.company_id
  from changed_sales n
  where n.tenant_id = $1
  order by n.id
  limit 5001
), changed as materialized (select distinct n.company_id from noted n), kept as materialized (
  select case when (select count(*) from noted) <= 5000 then (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) end as until
), years as materialized (
  select y.at, y.first, y.last,
    (extract(year from y.first)::integer * 12 + extract(month from y.first)::integer - 1) + (extract(day from y.first) > 1)::integer as first_month, case when k.until is not null
  and :assigned_to::bigint is null
  and :unit::text <> 'week' then least(k.until,
    (extract(year from (y.last + 1))::integer * 12 + extract(month from (y.last + 1))::integer - 1) - 1) end as last_month
  from kept k
  cross join (values(0, :from::date, :to::date), (1, :before_from::date, :before_to::date)) y(at, first, last)
), days as materialized (
  select y.at, y.first, case when y.last_month >= y.first_month then make_date((y.first_month) / 12,
    (y.first_month) % 12 + 1, 1) - 1 else y.last end as last
  from years y
  union all
  select y.at, make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1), y.last
  from years y
  where y.last_month >= y.first_month
), year_0 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 0
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 0
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), year_1 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 1
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 1
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), kept_companies as materialized (
  select s.company_id, s.currency, s.months[1] as first_month,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.sold[width_bucket (y0.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as sold,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.sold[width_bucket (y1.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as sold_before,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.invoices[width_bucket (y0.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as invoices,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.invoices[width_bucket (y1.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as invoices_before
  from kept k
  cross join years y0
  cross join years y1
  cross join company_sales s
  where k.until is not null
  and y0.at = 0
  and y1.at = 1
  and s.tenant_id = $1
  and (:currency::text is null or nullif(s.currency, '') = :currency)
  and s.company_id not in (select n.company_id from changed n)
), kept_months as (
  select y.at, m.month, m.currency, m.sold, m.invoices
  from years y
  join month_sales m on m.tenant_id = $1
  and m.month between y.first_month
  and y.last_month
  where (:currency::text is null or nullif(m.currency, '') = :currency)
  union all
  select y.at, m.month, s.currency, m.before - m.sold, m.invoices_before - m.invoices
  from changed n
  cross join lateral (
    select s.*
    from company_sales s
    where s.tenant_id = $1
    and s.company_id = n.company_id
    and (:currency::text is null or nullif(s.currency, '') = :currency)
  ) s
  cross join lateral (
    select u.*, lag(u.sold, 1, 0) over w as before, lag(u.invoices, 1, 0) over w as invoices_before
    from unnest(s.months, s.sold, s.invoices) u(month, sold, invoices) window w as (order by u.month)
  ) m
  join years y on m.month between y.first_month
  and y.last_month
), grouped as materialized (
  select y.company_id, y.day, y.currency, sum(y.sold) as sold, sum(y.sold_before) as sold_before,
    sum(y.invoices)::bigint as invoices, sum(y.invoices_before)::bigint as invoices_before,
    min(y.first_month) as first_month
  from (
    select y.company_id, y.day, coalesce(y.currency, '') as currency, case when y.at = 0 then coalesce(y.sold,
      0) else 0 end, case when y.at = 1 then coalesce(y.sold, 0) else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null::integer
    from (select n.*, 0 as at from year_0 n union all select n.*, 1 from year_1 n) y
    union all
    select k.company_id, null, k.currency, k.sold, k.sold_before, k.invoices, k.invoices_before, k.first_month
    from kept_companies k
    union all
    select null, make_date((y.month) / 12, (y.month) % 12 + 1, 1), y.currency,
      case when y.at = 0 then y.sold else 0 end, case when y.at = 1 then y.sold else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null
    from kept_months y
  ) y(company_id, day, currency, sold, sold_before, invoices, invoices_before, first_month)
  group by y.company_id, y.day, y.currency
), by_company as (
  select g.*
  from grouped g
  where g.company_id is not null
  and g.invoices + g.invoices_before > 0
), companies_of as materialized (
  select b.currency, count(*) filter(where b.invoices > 0) as companies,
    count(*) filter(where b.invoices_before > 0) as companies_before,
    count(*) filter(where b.invoices > 0 and (b.invoices_before = 0 or :before_to::date >= :from::date) and (b.first_month is null or b.first_month >= (extract(year from :from::date)::integer * 12 + extract(month from :from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :from::date
    limit 1
  ) is null) as new_companies,
    count(*) filter(where b.invoices_before > 0 and (b.first_month is null or b.first_month >= (extract(year from :before_from::date)::integer * 12 + extract(month from :before_from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :before_from::date
    limit 1
  ) is null) as new_companies_before
  from by_company b
  group by b.currency
), totals as materialized (
  select t.*, c.companies, c.companies_before, c.new_companies, c.new_companies_before
  from (
    select b.currency, sum(b.sold) as sold, sum(b.sold_before) as sold_before, sum(b.invoices) as invoices,
      sum(b.invoices_before) as invoices_before
    from grouped b
    where b.day is not null
    group by b.currency
  ) t
  join companies_of c on c.currency = t.currency
), said as materialized (
  select t.*
  from totals t
  order by t.invoices + t.invoices_before desc, t.currency
  limit 200
), both_years as (
  select d.day, d.currency, b.*
  from grouped d
  cross join lateral (values(false, d.sold, 0, d.invoices, 0), (true, 0, d.sold_before, 0,
    d.invoices_before)) b(is_before, sold, sold_before, invoices, invoices_before)
  where d.day is not null
  and b.invoices + b.invoices_before > 0
), columns as (
  select b.currency,
    case :unit::text when 'week' then least((b.day - case when b.is_before then :before_from::date else :from::date end + extract(isodow from :from::date)::int - 1) / 7, (:to::date - :from::date + extract(isodow from :from::date)::int - 1) / 7) else extract(year from b.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from b.day)::int else 0 end - (
    select extract(year from f.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from f.day)::int else 0 end
    from (
      select case when b.is_before then :before_from::date else :from::date end as day
    ) f
  ) end as place, sum(b.sold) as sold, sum(b.sold_before) as sold_before
  from both_years b
  where b.currency in (select s.currency from said s)
  group by b.currency, place
), by_key as materialized (
  select c.assigned_to::text as key, null::text as name, b.currency, sum(b.sold) as sold,
    sum(b.sold_before) as sold_before, sum(b.invoices) as invoices, sum(b.invoices_before) as invoices_before
  from by_company b
  join companies c on c.tenant_id = $1
  and c.id = b.company_id
  group by c.assigned_to, b.currency
), ranked as (
  select s.*, t.invoices + t.invoices_before as weight, t.sold as whole
  from by_key s
  join totals t on t.currency = s.currency
), listed as (
  select s.*
  from ranked s
  where not :stopped_only::boolean
  or (s.invoices = 0 and s.invoices_before > 0)
), page as materialized (
  select s.*
  from listed s
  order by s.weight desc, s.currency, s.sold desc, s.sold_before desc, s.key
  limit :limit
  offset :offset
)
select s.totals, s.columns, s.rows, s.total, s.has_too_many_lines, s.drafts, s.cancelled, s.undated, s.is_behind
from (
  select (
    select json_agg(r order by r.invoices + r.invoices_before desc, r.currency)
    from (
      select t.currency, case when t.sold = 0 then '0' else round(t.sold, greatest(min_scale(t.sold),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when t.sold_before = 0 then '0' else round(t.sold_before, greatest(min_scale(t.sold_before),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before, t.invoices, t.invoices_before, t.companies,
        t.companies_before, t.new_companies, t.new_companies_before, round(t.sold / nullif(t.invoices, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average, round(t.sold_before / nullif(t.invoices_before, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average_before
      from said t
    ) r
  ) as totals, (
    select json_agg(r)
    from (
      select c.currency, c.place, case when c.sold = 0 then '0' else round(c.sold, greatest(min_scale(c.sold),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when c.sold_before = 0 then '0' else round(c.sold_before, greatest(min_scale(c.sold_before),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before
      from columns c
    ) r
  ) as columns, (
    select json_agg(r order by r.place)
    from (
      select row_number() over (order by p.weight desc, p.currency, p.sold desc, p.sold_before desc, p.key) as place,
        p.key, p.name as name, p.currency, case when p.sold = 0 then '0' else round(p.sold, greatest(min_scale(p.sold),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when p.sold_before = 0 then '0' else round(p.sold_before, greatest(min_scale(p.sold_before),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before,
        case when (p.sold - p.sold_before) = 0 then '0' else round((p.sold - p.sold_before),
        greatest(min_scale((p.sold - p.sold_before)), case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK',
        'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
        'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
        'TND') then 3 else 2 end))::text end as difference, p.invoices, p.invoices_before,
        round(100 * p.sold / nullif(p.whole, 0), 1)::text as share, null::date as last_issued_on
      from page p
    ) r
  ) as rows, (select count(*) from listed) as total, false as has_too_many_lines, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'draft'
  ) as drafts, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'cancelled'
  ) as cancelled, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on is null
    and i.status in ('issued', 'paid')
  ) as undated,
    ((select count(*) > 100 from noted) or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) is null or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) < (extract(year from (current_date - 7))::integer * 12 + extract(month from (current_date - 7))::integer - 1) - 1)
  and (
    select sum(y.invoices)
    from (select * from year_0 union all select * from year_1) y
    where y.day is not null
  ) > 20000 as is_behind
) s;

-- sales_by_product
with noted as materialized (
  select n.company_id
  from changed_sales n
  where n.tenant_id = $1
  order by n.id
  limit 5001
), changed as materialized (select distinct n.company_id from noted n), kept as materialized (
  select case when (select count(*) from noted) <= 5000 then (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) end as until
), years as materialized (
  select y.at, y.first, y.last,
    (extract(year from y.first)::integer * 12 + extract(month from y.first)::integer - 1) + (extract(day from y.first) > 1)::integer as first_month, case when k.until is not null
  and :assigned_to::bigint is null
  and :unit::text <> 'week' then least(k.until,
    (extract(year from (y.last + 1))::integer * 12 + extract(month from (y.last + 1))::integer - 1) - 1) end as last_month
  from kept k
  cross join (values(0, :from::date, :to::date), (1, :before_from::date, :before_to::date)) y(at, first, last)
), days as materialized (
  select y.at, y.first, case when y.last_month >= y.first_month then make_date((y.first_month) / 12,
    (y.first_month) % 12 + 1, 1) - 1 else y.last end as last
  from years y
  union all
  select y.at, make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1), y.last
  from years y
  where y.last_month >= y.first_month
), year_0 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 0
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 0
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), year_1 as materialized (
  select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
  from (
    select i.*
    from days d
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.issued_on >= d.first
      and i.issued_on <= d.last
    ) i
    where d.at = 1
    union all
    select i.*
    from years y
    cross join changed n
    cross join lateral (
      select i.company_id, i.issued_on, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id
        from companies c
        where c.tenant_id = $1
        and (:assigned_to::bigint is null or coalesce(c.assigned_to,
          0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
          select u.id
          from users u
          where u.tenant_id = $1
          and u.deactivated_at is not null
        )))
      ))
      and i.status in ('issued', 'paid')
      and i.company_id = n.company_id
      and i.issued_on >= make_date((y.first_month) / 12, (y.first_month) % 12 + 1, 1)
      and i.issued_on < make_date((y.last_month + 1) / 12, (y.last_month + 1) % 12 + 1, 1)
    ) i
    where y.at = 1
    and y.last_month >= y.first_month
  ) i
  group by grouping sets((i.company_id, i.currency), (i.issued_on, i.currency))
), kept_companies as materialized (
  select s.company_id, s.currency, s.months[1] as first_month,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.sold[width_bucket (y0.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as sold,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.sold[width_bucket (y1.last_month, s.months) ],
    0) - coalesce(s.sold[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as sold_before,
    coalesce(case when y0.last_month >= y0.first_month then coalesce(s.invoices[width_bucket (y0.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y0.first_month - 1, s.months) ], 0) end, 0) as invoices,
    coalesce(case when y1.last_month >= y1.first_month then coalesce(s.invoices[width_bucket (y1.last_month,
    s.months) ], 0) - coalesce(s.invoices[width_bucket (y1.first_month - 1, s.months) ], 0) end, 0) as invoices_before
  from kept k
  cross join years y0
  cross join years y1
  cross join company_sales s
  where k.until is not null
  and y0.at = 0
  and y1.at = 1
  and s.tenant_id = $1
  and (:currency::text is null or nullif(s.currency, '') = :currency)
  and s.company_id not in (select n.company_id from changed n)
), kept_months as (
  select y.at, m.month, m.currency, m.sold, m.invoices
  from years y
  join month_sales m on m.tenant_id = $1
  and m.month between y.first_month
  and y.last_month
  where (:currency::text is null or nullif(m.currency, '') = :currency)
  union all
  select y.at, m.month, s.currency, m.before - m.sold, m.invoices_before - m.invoices
  from changed n
  cross join lateral (
    select s.*
    from company_sales s
    where s.tenant_id = $1
    and s.company_id = n.company_id
    and (:currency::text is null or nullif(s.currency, '') = :currency)
  ) s
  cross join lateral (
    select u.*, lag(u.sold, 1, 0) over w as before, lag(u.invoices, 1, 0) over w as invoices_before
    from unnest(s.months, s.sold, s.invoices) u(month, sold, invoices) window w as (order by u.month)
  ) m
  join years y on m.month between y.first_month
  and y.last_month
), grouped as materialized (
  select y.company_id, y.day, y.currency, sum(y.sold) as sold, sum(y.sold_before) as sold_before,
    sum(y.invoices)::bigint as invoices, sum(y.invoices_before)::bigint as invoices_before,
    min(y.first_month) as first_month
  from (
    select y.company_id, y.day, coalesce(y.currency, '') as currency, case when y.at = 0 then coalesce(y.sold,
      0) else 0 end, case when y.at = 1 then coalesce(y.sold, 0) else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null::integer
    from (select n.*, 0 as at from year_0 n union all select n.*, 1 from year_1 n) y
    union all
    select k.company_id, null, k.currency, k.sold, k.sold_before, k.invoices, k.invoices_before, k.first_month
    from kept_companies k
    union all
    select null, make_date((y.month) / 12, (y.month) % 12 + 1, 1), y.currency,
      case when y.at = 0 then y.sold else 0 end, case when y.at = 1 then y.sold else 0 end,
      case when y.at = 0 then y.invoices else 0 end, case when y.at = 1 then y.invoices else 0 end, null
    from kept_months y
  ) y(company_id, day, currency, sold, sold_before, invoices, invoices_before, first_month)
  group by y.company_id, y.day, y.currency
), by_company as (
  select g.*
  from grouped g
  where g.company_id is not null
  and g.invoices + g.invoices_before > 0
), parsed as materialized (
  select coalesce(sum(g.invoices + g.invoices_before), 0) > 200000 as are_too_many
  from grouped g
  where g.day is not null
), companies_of as materialized (
  select b.currency, count(*) filter(where b.invoices > 0) as companies,
    count(*) filter(where b.invoices_before > 0) as companies_before,
    count(*) filter(where b.invoices > 0 and (b.invoices_before = 0 or :before_to::date >= :from::date) and (b.first_month is null or b.first_month >= (extract(year from :from::date)::integer * 12 + extract(month from :from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :from::date
    limit 1
  ) is null) as new_companies,
    count(*) filter(where b.invoices_before > 0 and (b.first_month is null or b.first_month >= (extract(year from :before_from::date)::integer * 12 + extract(month from :before_from::date)::integer - 1)) and (
    select true
    from invoices i
    where i.tenant_id = $1
    and i.company_id = b.company_id
    and i.status in ('issued', 'paid')
    and i.issued_on < :before_from::date
    limit 1
  ) is null) as new_companies_before
  from by_company b
  group by b.currency
), totals as materialized (
  select t.*, c.companies, c.companies_before, c.new_companies, c.new_companies_before
  from (
    select b.currency, sum(b.sold) as sold, sum(b.sold_before) as sold_before, sum(b.invoices) as invoices,
      sum(b.invoices_before) as invoices_before
    from grouped b
    where b.day is not null
    group by b.currency
  ) t
  join companies_of c on c.currency = t.currency
), said as materialized (
  select t.*
  from totals t
  order by t.invoices + t.invoices_before desc, t.currency
  limit 200
), both_years as (
  select d.day, d.currency, b.*
  from grouped d
  cross join lateral (values(false, d.sold, 0, d.invoices, 0), (true, 0, d.sold_before, 0,
    d.invoices_before)) b(is_before, sold, sold_before, invoices, invoices_before)
  where d.day is not null
  and b.invoices + b.invoices_before > 0
), columns as (
  select b.currency,
    case :unit::text when 'week' then least((b.day - case when b.is_before then :before_from::date else :from::date end + extract(isodow from :from::date)::int - 1) / 7, (:to::date - :from::date + extract(isodow from :from::date)::int - 1) / 7) else extract(year from b.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from b.day)::int else 0 end - (
    select extract(year from f.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from f.day)::int else 0 end
    from (
      select case when b.is_before then :before_from::date else :from::date end as day
    ) f
  ) end as place, sum(b.sold) as sold, sum(b.sold_before) as sold_before
  from both_years b
  where b.currency in (select s.currency from said s)
  group by b.currency, place
), by_key as materialized (
  select nullif(l.sku, '') as key, case when l.sku <> '' then max(l.description) end as name, l.currency,
    round(coalesce(sum(l.amount) filter(where not l.is_before), 0), case when upper(l.currency) in ('BIF', 'CLP', 'DJF',
    'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
    'XPF') then 0 when upper(l.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
    'TND') then 3 else 2 end) as sold, round(coalesce(sum(l.amount) filter(where l.is_before), 0),
    case when upper(l.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI',
    'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(l.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
    'TND') then 3 else 2 end) as sold_before, count(*) filter(where not l.is_before) as invoices,
    count(*) filter(where l.is_before) as invoices_before
  from (
    select l.sku, l.description, coalesce(i.currency, '') as currency, false as is_before, l.amount
    from invoices i
    cross join lateral (
      select coalesce(r.sku, '') as sku, max(r.description) as description, sum(r.quantity * r.unit_price) as amount
      from json_to_recordset(i.lines::json) r(sku text, description text, quantity numeric, unit_price numeric)
      group by coalesce(r.sku, '')
    ) l
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status in ('issued', 'paid')
    and i.lines is not null
    and not (select p.are_too_many from parsed p)
    union all
    select l.sku, l.description, coalesce(i.currency, '') as currency, true as is_before, l.amount
    from invoices i
    cross join lateral (
      select coalesce(r.sku, '') as sku, max(r.description) as description, sum(r.quantity * r.unit_price) as amount
      from json_to_recordset(i.lines::json) r(sku text, description text, quantity numeric, unit_price numeric)
      group by coalesce(r.sku, '')
    ) l
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :before_from::date
    and i.issued_on <= :before_to::date
    and i.status in ('issued', 'paid')
    and i.lines is not null
    and not (select p.are_too_many from parsed p)
  ) l
  group by l.sku, l.currency
), ranked as materialized (
  select s.*, t.invoices + t.invoices_before as weight, sum(s.sold) over (partition by s.currency) as whole
  from by_key s
  join totals t on t.currency = s.currency
), listed as (
  select s.*
  from ranked s
  where not :stopped_only::boolean
  or (s.invoices = 0 and s.invoices_before > 0)
), page as materialized (
  select s.*
  from listed s
  order by s.weight desc, s.currency, s.sold desc, s.sold_before desc, s.key
  limit :limit
  offset :offset
)
select s.totals, s.columns, s.rows, s.total, s.has_too_many_lines, s.drafts, s.cancelled, s.undated, s.is_behind
from (
  select (
    select json_agg(r order by r.invoices + r.invoices_before desc, r.currency)
    from (
      select t.currency, case when t.sold = 0 then '0' else round(t.sold, greatest(min_scale(t.sold),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when t.sold_before = 0 then '0' else round(t.sold_before, greatest(min_scale(t.sold_before),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before, t.invoices, t.invoices_before, t.companies,
        t.companies_before, t.new_companies, t.new_companies_before, round(t.sold / nullif(t.invoices, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average, round(t.sold_before / nullif(t.invoices_before, 0),
        case when upper(t.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(t.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end)::text as average_before
      from said t
    ) r
  ) as totals, (
    select json_agg(r)
    from (
      select c.currency, c.place, case when c.sold = 0 then '0' else round(c.sold, greatest(min_scale(c.sold),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when c.sold_before = 0 then '0' else round(c.sold_before, greatest(min_scale(c.sold_before),
        case when upper(c.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(c.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before
      from columns c
    ) r
  ) as columns, (
    select json_agg(r order by r.place)
    from (
      select row_number() over (order by p.weight desc, p.currency, p.sold desc, p.sold_before desc, p.key) as place,
        p.key, p.name as name, p.currency, case when p.sold = 0 then '0' else round(p.sold, greatest(min_scale(p.sold),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold,
        case when p.sold_before = 0 then '0' else round(p.sold_before, greatest(min_scale(p.sold_before),
        case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX',
        'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD',
        'OMR', 'TND') then 3 else 2 end))::text end as sold_before,
        case when (p.sold - p.sold_before) = 0 then '0' else round((p.sold - p.sold_before),
        greatest(min_scale((p.sold - p.sold_before)), case when upper(p.currency) in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK',
        'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF',
        'XPF') then 0 when upper(p.currency) in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR',
        'TND') then 3 else 2 end))::text end as difference, p.invoices, p.invoices_before,
        round(100 * p.sold / nullif(p.whole, 0), 1)::text as share, null::date as last_issued_on
      from page p
    ) r
  ) as rows, (select count(*) from listed) as total, (select p.are_too_many from parsed p) as has_too_many_lines, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'draft'
  ) as drafts, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    and i.status = 'cancelled'
  ) as cancelled, (
    select count(*)
    from invoices i
    where i.tenant_id = $1
    and (:currency::text is null or i.currency = :currency)
    and (:assigned_to::bigint is null or i.company_id in (
      select c.id
      from companies c
      where c.tenant_id = $1
      and (:assigned_to::bigint is null or coalesce(c.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
    ))
    and i.issued_on is null
    and i.status in ('issued', 'paid')
  ) as undated,
    ((select count(*) > 100 from noted) or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) is null or (select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0) < (extract(year from (current_date - 7))::integer * 12 + extract(month from (current_date - 7))::integer - 1) - 1)
  and (
    select sum(y.invoices)
    from (select * from year_0 union all select * from year_1) y
    where y.day is not null
  ) > 20000 as is_behind
) s;

-- save_connection
update companies set wms_subdomain = :subdomain, wms_send_automatically = :sendsAutomatically,
  changed_by = case when wms_subdomain is distinct
from :subdomain
or wms_send_automatically is distinct
from :sendsAutomatically then :by else changed_by end, updated_at = case when wms_subdomain is distinct
from :subdomain
or wms_send_automatically is distinct
from :sendsAutomatically then moment_after(updated_at) else updated_at end
where tenant_id = $1
and id = :id
and deleted_at is null
and wms_api_key is not null
and lower(wms_subdomain) = :subdomain
returning id;

-- save_connection_of_workspace
update workspace_warehouses w set wms_send_automatically = :sendsAutomatically, changed_by = :by,
  updated_at = moment_after(w.updated_at)
where w.tenant_id = $1
and w.wms_subdomain = :subdomain
returning w.id;

-- save_connection_of_workspace_with_key
insert into workspace_warehouses as w(tenant_id, wms_subdomain, wms_send_automatically, changed_by, wms_api_key,
  wms_key_set_at, wms_key_set_by) values($1, :subdomain, :sendsAutomatically, :by, :key, now(),
  :by) on conflict(tenant_id) do update set wms_subdomain = excluded.wms_subdomain,
  wms_send_automatically = excluded.wms_send_automatically, changed_by = excluded.changed_by,
  wms_api_key = excluded.wms_api_key, wms_key_set_at = excluded.wms_key_set_at,
  wms_key_set_by = excluded.wms_key_set_by, wms_key_refused_at = null, updated_at = moment_after(w.updated_at)
where w.wms_subdomain is not distinct
from :replaced
returning w.id;

-- save_connection_with_key
update companies set wms_subdomain = :subdomain, wms_send_automatically = :sendsAutomatically, changed_by = :by,
  updated_at = moment_after(updated_at), wms_api_key = :key, wms_key_set_at = now(), wms_key_set_by = :by,
  wms_key_refused_at = null, wms_never = false,
  wms_contact = case when lower(wms_subdomain) = :subdomain then wms_contact end
where tenant_id = $1
and id = :id
and deleted_at is null
returning id;

-- search_companies
select found.total, c.id, c.name, c.tax_id, c.registration_number, c.industry, c.website, c.phone, c.email, c.address,
  c.city, c.county, c.country, c.postal_code, c.status, c.status_code, c.assigned_to,
  case when octet_length(c.notes) <= 8192 then c.notes end, c.managing_company, c.employee_count, c.activity_domain,
  c.fiscal_address, case when octet_length(c.delivery_notes) <= 8192 then c.delivery_notes end, c.callback_date,
  c.wms_subdomain, case when octet_length(coalesce(c.values_text,
  c.metadata::text)) <= 8192 then coalesce(c.values_text, c.metadata::text) end, c.created_at, c.updated_at,
  c.deleted_at, c.payment_days, c.credit_limit, c.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = c.assigned_to),
  case when octet_length(c.notes) > 8192 then octet_length(c.notes) else 0 end + case when octet_length(c.delivery_notes) > 8192 then octet_length(c.delivery_notes) else 0 end + case when octet_length(coalesce(c.values_text, c.metadata::text)) > 8192 then octet_length(coalesce(c.values_text, c.metadata::text)) else 0 end
from search_companies(:search, :status, :assigned_to, :by_name, :down, :limit, :offset) with ordinality found(id, total,
  place)
left join companies c on c.tenant_id = $1
and c.id = found.id
order by found.place;

-- search_contacts_by_last_contact
with candidates as materialized (
  select distinct id
  from (
    select id
    from search_contacts(:typed, 200)
    union all
    select unnest(:others::bigint[])
  ) m
)
select k.id, c.id, c.name, (select count(*) from candidates) >= 200
from candidates m
cross join lateral (
  select k.*
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id = m.id
  limit 1
) k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
where (:custom::jsonb is null or k.metadata @> :custom)
order by k.last_contacted_at desc nulls last, k.id desc
limit 200;

-- search_contacts_by_name
with candidates as materialized (
  select distinct id
  from (
    select id
    from search_contacts(:typed, 200)
    union all
    select unnest(:others::bigint[])
  ) m
)
select k.id, c.id, c.name, (select count(*) from candidates) >= 200
from candidates m
cross join lateral (
  select k.*
  from contacts k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id = m.id
  limit 1
) k
cross join lateral (
  select c.id, c.name
  from companies c
  where c.tenant_id = $1
  and c.id = k.company_id
  and c.deleted_at is null
  limit 1
) c
where (:custom::jsonb is null or k.metadata @> :custom)
order by fold(k.first_name || ' ' || k.last_name) collate "C", k.id
limit 200;

-- share_companies
with named as materialized (
  select ordinal, id
  from company_ids_by_tax_id(:taxIds::text[])
  union all
  select null, id
  from unnest(:ids::bigint[]) id
  union all
  select null, e.resource_id
  from unnest(:sources::text[], :externalIds::text[]) with ordinality as sent(source, external_id, ordinal)
  cross join lateral (
    select e.*
    from external_ids e
    where e.tenant_id = $1
    and e.type = 'company'
    and e.source = sent.source
    and e.external_id = sent.external_id
    limit 1
  ) e
)
select named.ordinal, c.id, c.external, c.former_ids
from named
join companies c on c.tenant_id = $1
and c.id = named.id
and c.deleted_at is null
where c.id = any(array(select id from named))
order by c.id for share of c;

-- start_change
update imports set kind = :kind, bytes = :bytes, reading = :reading, total = :total, state = 'running',
  started_by = created_by, started_at = now()
where tenant_id = $1
and id = :id
and state = 'uploading'
returning id;

-- start_import
update imports i set state = 'running', started_by = :userId, started_at = now(), created = 0, updated = 0,
  unchanged = 0, rejected = 0
where i.tenant_id = $1
and i.id = :id
and i.state = 'checked'
and i.forgotten_at is null
and md5(i.kind || coalesce(i.encoding::text, '') || '/' || coalesce(i.delimiter::text,
  '') || '/' || coalesce(i.clears_empty::text, '') || '/' || coalesce(i.columns::text,
  '') || '/' || coalesce(i.language::text, '') || '/' || coalesce(i.reading::text,
  '') || '/' || coalesce(i.runner::text, '') || '/') = :version
returning i.id;

-- stated_invoices
select i.id, i.number, i.issued_on, (case when i.due_on is null then i.terms_due_on else i.due_on end),
  coalesce(i.currency, ''), case when i.status = 'cancelled' then 0 else i.total end, i.paid,
  (case when i.status = 'cancelled' then 0 else i.total end - i.paid)
from invoices i
where i.tenant_id = $1
and i.company_id = :companyId
and (i.status = 'issued' or ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0)))
and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) <> 0
and (coalesce(i.currency, ''), coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end), 'infinity'),
  i.id) > (:currency, :day::date, :id::bigint)
order by coalesce(i.currency, ''), coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
  'infinity'), i.id
limit :most;

-- stated_payments
select p.id, i.id, i.number, p.paid_on, p.amount, coalesce(i.currency, ''), p.means, p.reference
from payments p
join invoices i on i.tenant_id = $1
and i.id = p.invoice_id
where p.tenant_id = $1
and p.company_id = :companyId
and p.deleted_at is null
and (p.paid_on, p.id) > (:day::date, :id::bigint)
order by p.paid_on, p.id
limit :most;

-- store_import_reading
update imports i set reading = :reading
where i.tenant_id = $1
and i.id = :id
and i.runner = :runner
and i.state in ('checking', 'running', 'undoing')
returning i.id;

-- store_next_call
update companies c set callback_date = :date::date, updated_at = :moment::timestamptz, changed_by = :by
where c.tenant_id = $1
and c.id = :companyId
and c.callback_date is distinct
from :date::date
returning c.id;

-- sum_owed_of_all_companies
select b.currency, sum(b.amount), max(b.read) >= :most
from (
  select coalesce(i.currency, '') collate "C" as currency, sum(i.amount) as amount, count(i.amount) as n,
    sum(count(*)) over () as read
  from ((
    select i.company_id, i.currency, case when (i.total - i.paid) > 0 then (i.total - i.paid) end as amount
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ) union all (
    select i.company_id, i.currency,
      case when (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0 then (case when i.status = 'cancelled' then 0 else i.total end - i.paid) end
    from invoices i
    where i.tenant_id = $1
    and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
    limit :most
  )) i
  group by coalesce(i.currency, '') collate "C"
) b
where b.n > 0
group by b.currency
order by sum(b.n) desc, b.currency
limit 200;

-- sum_owed_of_listed_companies
select b.currency, sum(b.amount), bool_or(b.is_cut)
from (
  select coalesce(y.currency, '') as currency, y.amount, y.is_cut, 1 as n
  from unnest(:ids::bigint[]) c(id)
  cross join lateral (
    select n.currency, n.amount, n.due, count(*) over () as of_all, n.is_cut
    from ((
      select n.currency, n.rest as amount, n.due, count(*) over () > 200 as is_cut
      from (
        select i.currency, (i.total - i.paid) as rest,
          (case when i.due_on is null then i.terms_due_on else i.due_on end) as due
        from (
          select *
          from invoices i
          where i.tenant_id = $1
          and i.company_id = c.id
          and i.status = 'issued'
          order by i.issued_on desc nulls last, i.id desc
        ) i
        where (i.total - i.paid) > 0
        limit 201
      ) n
    ) union all (
      select n.currency, n.rest as amount, n.due, count(*) over () > 200 as is_cut
      from (
        select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as rest,
          (case when i.due_on is null then i.terms_due_on else i.due_on end) as due
        from (
          select *
          from invoices i
          where i.tenant_id = $1
          and i.company_id = c.id
          and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
        ) i
        where (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
        limit 201
      ) n
    )) n
  ) y
  where y.amount is not null
) b
group by b.currency
order by sum(b.n) desc, b.currency
limit 200;

-- sum_owed_of_narrowed_companies
with by_company as materialized (
  select i.company_id, coalesce(i.currency, '') collate "C" as currency, sum(i.amount) as amount, count(i.amount) as n,
    sum(count(*)) over () as read
  from ((
    select i.company_id, i.currency, case when (i.total - i.paid) > 0 then (i.total - i.paid) end as amount
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ) union all (
    select i.company_id, i.currency,
      case when (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0 then (case when i.status = 'cancelled' then 0 else i.total end - i.paid) end
    from invoices i
    where i.tenant_id = $1
    and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
    limit :most
  )) i
  group by i.company_id, coalesce(i.currency, '') collate "C"
)
select b.currency, sum(b.amount), max(b.read) >= :most
from by_company b
cross join lateral (
  select
  from companies k
  where k.tenant_id = $1
  and k.id = b.company_id
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or case :orders when 'attention' then exists (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  ) when 'under_way' then exists (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  ) else (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null end)
  offset 0
) k
where b.n > 0
group by b.currency
order by sum(b.n) desc, b.currency
limit 200;

-- sum_turnover_of_all_companies
select b.currency, sum(b.amount), max(b.read) >= :most
from (
  select coalesce(i.currency, '') collate "C" as currency, sum(i.amount) as amount, count(i.amount) as n,
    sum(count(*)) over () as read
  from (
    select i.company_id, i.currency, i.total as amount
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  group by coalesce(i.currency, '') collate "C"
) b
where b.n > 0
group by b.currency
order by sum(b.n) desc, b.currency
limit 200;

-- sum_turnover_of_listed_companies
select b.currency, sum(b.amount), bool_or(b.is_cut)
from (
  select coalesce(y.currency, '') as currency, y.amount, y.is_cut, 1 as n
  from unnest(:ids::bigint[]) c(id)
  cross join lateral (
    select n.currency, n.total as amount, count(*) over () as of_all,
      count(*) over (partition by n.status) > 200 as is_cut
    from (values('issued'), ('paid')) known(status)
    cross join lateral (
      select known.status, i.currency, i.total
      from invoices i
      where i.tenant_id = $1
      and i.company_id = c.id
      and i.status = known.status
      and i.total is not null
      and i.issued_on > :year_ago::date
      and i.issued_on <= :today::date
      limit 201
    ) n
  ) y
  where y.amount is not null
) b
group by b.currency
order by sum(b.n) desc, b.currency
limit 200;

-- sum_turnover_of_narrowed_companies
with by_company as materialized (
  select i.company_id, coalesce(i.currency, '') collate "C" as currency, sum(i.amount) as amount, count(i.amount) as n,
    sum(count(*)) over () as read
  from (
    select i.company_id, i.currency, i.total as amount
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on > :year_ago::date
    and i.issued_on <= :today::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) i
  group by i.company_id, coalesce(i.currency, '') collate "C"
)
select b.currency, sum(b.amount), max(b.read) >= :most
from by_company b
cross join lateral (
  select
  from companies k
  where k.tenant_id = $1
  and k.id = b.company_id
  and k.deleted_at is null
  and (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:city::text is null or starts_with(fold(k.city), (select nullif(fold(:city), ''))))
  and (:unowned::boolean is null or :unowned and (0::bigint is null or coalesce(k.assigned_to,
    0) = 0 or (0 = 0 and k.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  ))))
  and (:callback::date is null or k.callback_date <= :callback)
  and (:orders::text is null or case :orders when 'attention' then exists (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  ) when 'under_way' then exists (
    select
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  ) else (
    select i.id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = k.id
    and i.wms_order_id is not null
    order by i.company_id, i.wms_synced_at desc nulls last, i.id
    limit 1
  ) is null end)
  offset 0
) k
where b.n > 0
group by b.currency
order by sum(b.n) desc, b.currency
limit 200;

-- sums_of_company_invoices
select coalesce(k.currency, ''), sum(case when :status = 'issued' then k.total - k.paid else k.total end)
from invoices k
where k.tenant_id = $1
and k.company_id = :parent
and k.total is not null
and (:status::text is null or k.status = :status)
and (:wms_state::text is null or k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
and (:search::text is null or fold(k.number) like (select search_pattern(:search)))
and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
and (:custom::jsonb is null or k.metadata @> :custom)
group by k.currency
order by count(*) desc, k.currency
limit 200;

-- sums_of_narrowed_orders_all
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
    i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id from (
    with asked as materialized (select key, value from jsonb_each_text(:custom::jsonb)), counted as materialized (
      select asked.key, asked.value, (
        select count(*)
        from (
          select 1
          from value_entries v
          where v.tenant_id = $1
          and v.entry = value_entry('invoice', asked.key, asked.value)
          limit :most + 1
        ) few
      ) as n
      from asked
    ), rarest as materialized (select key, value, n from counted order by n limit 1)
    select few.id
    from rarest
    cross join lateral (
      select v.record_id as id
      from value_entries v
      where v.tenant_id = $1
      and v.entry = value_entry('invoice', rarest.key, rarest.value)
      order by v.record_id
      limit :most
    ) few
  ) v join invoices i on i.tenant_id = $1 and i.id = v.id union select i.id, i.company_id, i.issued_on, i.due_on,
    i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance, i.wms_order_id,
    i.wms_order_number, i.status,
    i.delivery_address_id from invoices i where i.tenant_id = $1 and i.number = :search union select i.id, i.company_id,
    i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency, i.wms_synced_at, i.wms_instance,
    i.wms_order_id, i.wms_order_number, i.status,
    i.delivery_address_id from invoices i where i.tenant_id = $1 and i.wms_order_id = case when :search ~ '^[0-9]{1,18}$' then :search::bigint end) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_all_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_attention
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
    order by i.wms_needs_at desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_done
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_done_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_draft
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'draft'
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_draft_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'draft'
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_needs
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
    and i.wms_shown <> 'to_be_confirmed'
    order by i.wms_needs_at desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_overdue
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, (i.total - i.paid) as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.due_on is null then i.terms_due_on else i.due_on end) < (
      select (now() at time zone t.time_zone)::date
      from tenants t
      where t.id = $1
    )
    and ((i.total - i.paid) < 0) is not true
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_owed
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as amount
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_paid_too_much
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as amount
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
    and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
    and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency)
    and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
      'infinity') >= :due_from::date)
    and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_put_off
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_needs_at is not null
    and i.wms_needs_at <= now()
    and i.wms_settled_at is null
    and i.wms_put_off_until is not null
    and i.wms_put_off_until > now()
    order by i.wms_put_off_until
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_shown
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :shown
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :other_shown
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_shown_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from (((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :shown
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ) union all (
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = :other_shown
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  ))) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_sold
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_sold_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_sold_to
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company::bigint
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_sold_to_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.company_id = :company::bigint
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_to_send
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from (
      select i.*
      from invoices i
      where i.tenant_id = $1
      and i.wms_shown = 'not_sent'
      and i.status in ('issued', 'paid')
      order by i.issued_on desc nulls last, i.id desc
      limit 10000
    ) i
    cross join lateral (
      select c.name
      from companies c
      where c.tenant_id = $1
      and c.id = i.company_id
      and c.deleted_at is null
      and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
      limit 1
    ) c
    where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_to_send_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from (
      select i.*
      from invoices i
      where i.tenant_id = $1
      and i.wms_shown = 'not_sent'
      and i.status in ('issued', 'paid')
      and i.issued_on >= :from::date
      and i.issued_on <= :to::date
      order by i.issued_on desc nulls last, i.id desc
      limit 10000
    ) i
    cross join lateral (
      select c.name
      from companies c
      where c.tenant_id = $1
      and c.id = i.company_id
      and c.deleted_at is null
      and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
      limit 1
    ) c
    where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_under_way
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_under_way_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_narrowed_orders_unpaid
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, (i.total - i.paid) as amount
  from ((
    select i.id, i.company_id, i.issued_on, i.due_on, i.terms_due_on, i.number, i.total, i.paid, i.currency,
      i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id
    from invoices i
    where i.tenant_id = $1
    and i.status = 'issued'
    order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
    limit :most
  )) i
  left join lateral (
    select assigned_to, search_text, address, name
    from companies
    where tenant_id = $1
    and id = i.company_id
    and deleted_at is null
    and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean or :sort in ('company', '-company'))
    offset 0
  ) c on true
  where (i.issued_on is null and :from::date = '-infinity' and :to::date = 'infinity' or i.issued_on >= :from and i.issued_on <= :to)
  and (:instance::text is null or i.wms_instance = :instance)
  and (:assigned_to::bigint is null or coalesce(c.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and c.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  and (:sku::text is null or exists (
    select
    from invoices s
    cross join lateral json_array_elements(s.lines::json) l
    where s.tenant_id = $1
    and s.id = i.id
    and l ->> 'sku' = :sku
  ))
  and (not :is_street_missing::boolean or (i.wms_order_id is null and i.status <> 'cancelled' and nullif(btrim(c.address), '') is null and not exists (
    select
    from addresses a
    where a.tenant_id = $1
    and a.company_id = i.company_id
    and a.deleted_at is null
    and (a.id = i.delivery_address_id or a.type = 'delivery')
  )))
  and (:custom::jsonb is null or (select v.metadata from invoices v where v.tenant_id = $1 and v.id = i.id) @> :custom::jsonb)
  and (:search::text is null or fold(i.number) like (select search_pattern(:search)) or fold(i.wms_order_number) like (select search_pattern(:search)) or i.wms_order_id::text = :search or c.search_text like (select search_pattern(:search)))
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_all
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_all_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_attention
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  order by i.wms_needs_at desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_done
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_done_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_draft
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.status = 'draft'
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_draft_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.status = 'draft'
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_needs
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and (i.wms_put_off_until is null or i.wms_put_off_until <= now())
  and i.wms_shown <> 'to_be_confirmed'
  order by i.wms_needs_at desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_overdue
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, (i.total - i.paid) as amount
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.due_on is null then i.terms_due_on else i.due_on end) < (
    select (now() at time zone t.time_zone)::date
    from tenants t
    where t.id = $1
  )
  and ((i.total - i.paid) < 0) is not true
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_owed
select coalesce(n.currency, ''), sum(n.amount)
from ((
  select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as amount
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) union all (
  select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as amount
  from invoices i
  where i.tenant_id = $1
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) > 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
)) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_paid_too_much
select coalesce(n.currency, ''), sum(n.amount)
from ((
  select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as amount
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) union all (
  select i.currency, (case when i.status = 'cancelled' then 0 else i.total end - i.paid) as amount
  from invoices i
  where i.tenant_id = $1
  and ((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))
  and (case when i.status = 'cancelled' then 0 else i.total end - i.paid) < 0
  and (:company::bigint is null or i.company_id = :company::bigint)
  and (:currency::text is null or i.currency = :currency)
  and (:due_from::date is null or coalesce((case when i.due_on is null then i.terms_due_on else i.due_on end),
    'infinity') >= :due_from::date)
  and (:due_to::date is null or (case when i.due_on is null then i.terms_due_on else i.due_on end) <= :due_to::date)
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
)) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_put_off
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_needs_at is not null
  and i.wms_needs_at <= now()
  and i.wms_settled_at is null
  and i.wms_put_off_until is not null
  and i.wms_put_off_until > now()
  order by i.wms_put_off_until
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_shown
select coalesce(n.currency, ''), sum(n.amount)
from ((
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :shown
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union all (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :other_shown
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_shown_of_days
select coalesce(n.currency, ''), sum(n.amount)
from ((
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :shown
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) union all (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.wms_shown = :other_shown
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
)) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_sold
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_sold_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.status in ('issued', 'paid')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_sold_to
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status in ('issued', 'paid')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_sold_to_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and i.company_id = :company::bigint
  and i.status in ('issued', 'paid')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_to_send
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.name
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_to_send_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    and i.issued_on >= :from::date
    and i.issued_on <= :to::date
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.name
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_under_way
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_under_way_of_days
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, i.total as amount
  from invoices i
  where i.tenant_id = $1
  and (i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')
  and i.issued_on >= :from::date
  and i.issued_on <= :to::date
  order by i.issued_on desc nulls last, i.id desc
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- sums_of_orders_unpaid
select coalesce(n.currency, ''), sum(n.amount)
from (
  select i.currency, (i.total - i.paid) as amount
  from invoices i
  where i.tenant_id = $1
  and i.status = 'issued'
  order by (case when i.due_on is null then i.terms_due_on else i.due_on end), i.id
  limit :most
) n
where n.amount is not null
group by n.currency
order by count(*) desc, n.currency
limit 200;

-- total_companies
with newest as materialized (
  select total, oldest
  from company_count_sums
  where tenant_id = $1
  order by generation desc
  limit 1
), changed as (
  select block, status, n
  from company_count_changes
  where tenant_id = $1
  and generation >= (select coalesce(max(oldest), 0) from newest)
)
select sum(n)
from (select total as n from newest union all select n from changed) counts;

-- total_companies_of_owner
select count(*)
from companies
where tenant_id = $1
and deleted_at is null
and assigned_to = :assigned_to;

-- total_companies_of_owner_and_status
select count(*)
from companies
where tenant_id = $1
and deleted_at is null
and assigned_to = :assigned_to
and status = :status;

-- total_companies_of_status
with newest as materialized (
  select (totals ->> :status)::bigint as total, oldest
  from company_count_sums
  where tenant_id = $1
  order by generation desc
  limit 1
), changed as (
  select block, status, n
  from company_count_changes
  where tenant_id = $1
  and generation >= (select coalesce(max(oldest), 0) from newest)
)
select sum(n)
from (
  select total as n
  from newest
  union all
  select n
  from changed
  where status = :status
) counts;

-- total_deleted_companies
select count(*)
from companies k
where k.tenant_id = $1
and k.deleted_at is not null
and (:search::text is null or k.search_text like (select search_pattern(:search)))
and (:status::text is null or k.status = :status)
and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
and (:custom::jsonb is null or k.metadata @> :custom);

-- unsent_invoices
with s as materialized (
  select i.id, i.issued_on as at, c.assigned_to
  from (
    select i.*
    from invoices i
    where i.tenant_id = $1
    and i.wms_shown = 'not_sent'
    and i.status in ('issued', 'paid')
    order by i.issued_on desc nulls last, i.id desc
    limit 10000
  ) i
  cross join lateral (
    select c.assigned_to
    from companies c
    where c.tenant_id = $1
    and c.id = i.company_id
    and c.deleted_at is null
    and (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null
    limit 1
  ) c
  where not (i.status = 'paid' and i.edited_at < now() - interval '90 days')
), k as (
  select k.*, case when k.own <= 1000 then (
    select string_agg(concat_ws(' ', a.amount, a.currency), '|' order by a.count desc, a.currency)
    from (
      select i.currency, sum(i.amount) as amount, count(*)
      from s
      cross join lateral (
        select i.currency, i.total as amount
        from invoices i
        where i.tenant_id = $1
        and i.id = s.id
        offset 0
      ) i
      where (:assigned_to::bigint is null or coalesce(s.assigned_to,
        0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
        select u.id
        from users u
        where u.tenant_id = $1
        and u.deactivated_at is not null
      )))
      and i.amount is not null
      group by i.currency
    ) a
  ) end as sums
  from (
    select count(*) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as own, count(*) filter(where (0::bigint is null or coalesce(s.assigned_to,
      0) = 0 or (0 = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as nobodys, (
      select count(*)
      from (
        select
        from invoices i
        where i.tenant_id = $1
        and i.wms_shown = 'not_sent'
        and i.status in ('issued', 'paid')
        limit 10001
      ) n
    ) > 10000 as is_cut, max(s.id) filter(where (:assigned_to::bigint is null or coalesce(s.assigned_to,
      0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
      select u.id
      from users u
      where u.tenant_id = $1
      and u.deactivated_at is not null
    )))) as newest
    from s
  ) k
), n as (
  select s.id, s.at
  from s
  where (:assigned_to::bigint is null or coalesce(s.assigned_to,
    0) = :assigned_to or (:assigned_to = 0 and s.assigned_to in (
    select u.id
    from users u
    where u.tenant_id = $1
    and u.deactivated_at is not null
  )))
  order by at desc nulls last, id desc
  limit :most
)
select n.id, i.id, i.company_id, i.number, i.issued_on, i.due_on, i.total, i.currency, i.status, i.delivery_address_id,
  i.wms_state, i.wms_instance, i.wms_order_id, i.wms_order_number, i.wms_status, i.wms_synced_at, i.wms_error,
  i.created_at, i.updated_at, i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_moved_at, i.wms_updated_at,
  i.edited_at, i.wms_put_off_until, i.wms_checked_at, i.terms_due_on, i.corrects_id, i.paid, i.wms_cancel,
  i.wms_cancel_error, null::jsonb as metadata, i.external, c.name,
  (case when c.wms_never then null when c.wms_subdomain is null then (select w.wms_api_key from workspace_warehouses w where w.tenant_id = $1) else c.wms_api_key end) is not null, (case when c.wms_never then null when c.wms_subdomain is null then (
  select w.wms_key_refused_at
  from workspace_warehouses w
  where w.tenant_id = $1
) else c.wms_key_refused_at end) is not null, c.phone, counts.*
from k counts
left join n on true
left join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i on true
left join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c on true
order by n.at desc nulls last, n.id desc;

-- update_single_sign_on
update single_sign_on s set sso_issuer = :issuer, sso_client_id = :clientId, sso_domains = :domains,
  sso_trusts_addresses = :trustsAddresses, sso_admits_domains = :admitsDomains, sso_groups_claim = :groupsClaim,
  sso_admin_group = :adminGroup, changed_by = :by, sso_scopes = :scopes, sso_groups_unknown_at = null,
  sso_client_secret = coalesce(:secret, sso_client_secret),
  sso_secret_set_at = coalesce(to_timestamp(:secretSetAt::double precision / 1000), sso_secret_set_at),
  sso_tried_at = case when :secret::text is null
and sso_issuer = :issuer
and sso_client_id = :clientId then sso_tried_at end, updated_at = moment_after(s.updated_at)
where s.tenant_id = $1
and (not s.sso_on or s.sso_issuer = :issuer and s.sso_client_id = :clientId)
returning id;

-- using_passkey
update passkeys set counter = :counter, last_used_at = now(), verifies = verifies
or :isVerified
where tenant_id = $1
and user_id = :userId
and id = :id
and (counter < :counter or (counter = 0 and :counter = 0))
returning id;

-- walk_addresses
with seen as materialized (
  select k.id, k.is_default
  from addresses_behind(:parent, :after1, :after2, :scanned) behind
  cross join lateral (
    select k.*
    from addresses k
    where k.tenant_id = $1
    and k.id = behind.id
    limit 1
  ) k
), found as materialized (select k.id from seen k where true limit :found), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.is_default)::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.is_default)::text, (k.id)::text)::text, k.id, k.company_id, k.type,
  k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name, k.phone,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at, k.updated_at,
  k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from reached
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.is_default desc, k.id;

-- walk_addresses_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id
  from addresses k
  where k.tenant_id = $1
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and true
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.type, k.label, k.address, k.city,
  k.county, k.country, k.postal_code, k.contact_name, k.phone,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at, k.updated_at,
  k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from reached
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_companies_by_id
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_companies_by_id_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id < :after1
  order by k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id desc;

-- walk_companies_by_name
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (k.search_text collate "C", k.id) > (:after1, :after2)
  order by k.search_text collate "C", k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.search_text collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.search_text collate "C")::text, (k.id)::text)::text, k.id, k.name,
  k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country,
  k.postal_code, k.status, k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end,
  k.managing_company, k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.search_text collate "C", k.id;

-- walk_companies_by_name_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (k.search_text collate "C", k.id) < (:after1, :after2)
  order by k.search_text collate "C" desc, k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.search_text collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.search_text collate "C")::text, (k.id)::text)::text, k.id, k.name,
  k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country,
  k.postal_code, k.status, k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end,
  k.managing_company, k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.search_text collate "C" desc, k.id desc;

-- walk_contacts
with seen as materialized (
  select k.id, k.is_primary, k.first_name
  from contacts_behind(:parent, :after1, :after2, :after3, :scanned) behind
  cross join lateral (
    select k.*
    from contacts k
    where k.tenant_id = $1
    and k.id = behind.id
    limit 1
  ) k
), found as materialized (select k.id from seen k where true limit :found), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.is_primary)::text, (fold(k.first_name) collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.is_primary)::text, (fold(k.first_name) collate "C")::text,
  (k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position,
  k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.is_primary desc, fold(k.first_name) collate "C", k.id;

-- walk_contacts_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id
  from contacts k
  where k.tenant_id = $1
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and true
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email,
  k.phone, k.mobile, k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting,
  k.preferred_language, case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_few_addresses
with seen as materialized (
  select k.id, k.is_default, k.label, k.address, k.city, k.updated_at
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from addresses k
      where k.tenant_id = $1
      and k.id = few.id
      and k.company_id = :parent
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where ((k.is_default < :after1 or (k.is_default = :after1 and k.id > :after2)))
  order by k.is_default desc, k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:words::text is null or fold(concat_ws(' ', k.label, k.address, k.city)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.is_default)::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.is_default)::text, (k.id)::text)::text, k.id, k.company_id, k.type,
  k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name, k.phone,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at, k.updated_at,
  k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from reached
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.is_default desc, k.id;

-- walk_few_addresses_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id, k.label, k.address, k.city, k.updated_at
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from addresses k
      where k.tenant_id = $1
      and k.id = few.id
      and true
      limit 1
    ) k
  ) k
  where (k.id > :after1)
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.type, k.label, k.address, k.city,
  k.county, k.country, k.postal_code, k.contact_name, k.phone,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at, k.updated_at,
  k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from reached
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_few_companies_by_id
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (k.id > :after1)
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_few_companies_by_id_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (k.id < :after1)
  order by k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id desc;

-- walk_few_companies_by_name
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where ((k.search_text collate "C", k.id) > (:after1, :after2))
  order by k.search_text collate "C", k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.search_text collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.search_text collate "C")::text, (k.id)::text)::text, k.id, k.name,
  k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country,
  k.postal_code, k.status, k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end,
  k.managing_company, k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.search_text collate "C", k.id;

-- walk_few_companies_by_name_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from companies k
      where k.tenant_id = $1
      and k.id = few.id
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where ((k.search_text collate "C", k.id) < (:after1, :after2))
  order by k.search_text collate "C" desc, k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.search_text collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.search_text collate "C")::text, (k.id)::text)::text, k.id, k.name,
  k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country,
  k.postal_code, k.status, k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end,
  k.managing_company, k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.search_text collate "C" desc, k.id desc;

-- walk_few_contacts
with seen as materialized (
  select k.id, k.is_primary, k.first_name, k.last_name, k.email, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from contacts k
      where k.tenant_id = $1
      and k.id = few.id
      and k.company_id = :parent
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where ((k.is_primary < :after1 or (k.is_primary = :after1 and (fold(k.first_name) collate "C" > :after2 or (fold(k.first_name) collate "C" = :after2 and k.id > :after3)))))
  order by k.is_primary desc, fold(k.first_name) collate "C", k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:words::text is null or fold(concat_ws(' ', k.first_name, k.last_name, k.email)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.is_primary)::text, (fold(k.first_name) collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.is_primary)::text, (fold(k.first_name) collate "C")::text,
  (k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position,
  k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.is_primary desc, fold(k.first_name) collate "C", k.id;

-- walk_few_contacts_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id, k.first_name, k.last_name, k.email, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from contacts k
      where k.tenant_id = $1
      and k.id = few.id
      and true
      limit 1
    ) k
  ) k
  where (k.id > :after1)
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email,
  k.phone, k.mobile, k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting,
  k.preferred_language, case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_few_invoices
with seen as materialized (
  select k.id, k.issued_on, k.status, k.wms_state, k.wms_needs_at, k.wms_shown, k.number, k.updated_at, k.metadata
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from invoices k
      where k.tenant_id = $1
      and k.id = few.id
      and k.company_id = :parent
      limit 1
    ) k
  ) k
  where ((k.issued_on, k.id) < (:after1, :after2))
  or (k.issued_on is null and k.id < case when :after1 is null then :after2 else 9223372036854775807 end)
  order by k.issued_on desc nulls last, k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:status::text is null or k.status = :status)
  and (:wms_state::text is null or k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
  and (:search::text is null or fold(k.number) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.issued_on)::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.issued_on)::text, (k.id)::text)::text, k.id, k.company_id, k.number,
  k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id, k.wms_state, k.wms_instance,
  k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error, k.created_at, k.updated_at,
  k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at, k.edited_at, k.wms_put_off_until,
  k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel, k.wms_cancel_error,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.external, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join invoices k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.issued_on desc nulls last, k.id desc;

-- walk_few_payments
with seen as materialized (
  select k.id, k.updated_at
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from payments k
      where k.tenant_id = $1
      and k.id = few.id
      and k.invoice_id = :parent
      and k.deleted_at is null
      limit 1
    ) k
  ) k
  where (k.id > :after1)
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.invoice_id, k.company_id, k.amount, k.paid_on,
  k.means, k.reference, k.created_at, k.updated_at, k.external
from reached
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_few_payments_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.updated_at
  from (
    select k.*
    from unnest(:ids::bigint[]) few(id)
    cross join lateral (
      select k.*
      from payments k
      where k.tenant_id = $1
      and k.id = few.id
      and true
      limit 1
    ) k
  ) k
  where (k.id > :after1)
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.invoice_id, k.company_id, k.amount, k.paid_on,
  k.means, k.reference, k.created_at, k.updated_at, k.external
from reached
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_filtered_addresses
with seen as materialized (
  select k.id, k.is_default, k.label, k.address, k.city, k.updated_at
  from addresses_behind(:parent, :after1, :after2, :scanned) behind
  cross join lateral (
    select k.*
    from addresses k
    where k.tenant_id = $1
    and k.id = behind.id
    limit 1
  ) k
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:words::text is null or fold(concat_ws(' ', k.label, k.address, k.city)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.is_default)::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.is_default)::text, (k.id)::text)::text, k.id, k.company_id, k.type,
  k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name, k.phone,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at, k.updated_at,
  k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from reached
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.is_default desc, k.id;

-- walk_filtered_addresses_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id, k.label, k.address, k.city, k.updated_at
  from addresses k
  where k.tenant_id = $1
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.label) like (select search_pattern(:search)) or fold(k.address) like (select search_pattern(:search)) or fold(k.city) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.type, k.label, k.address, k.city,
  k.county, k.country, k.postal_code, k.contact_name, k.phone,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.is_default, k.created_at, k.updated_at,
  k.deleted_at, k.external,
  case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end
from reached
left join addresses k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_filtered_companies_by_id
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_filtered_companies_by_id_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and k.id < :after1
  order by k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id desc;

-- walk_filtered_companies_by_name
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (k.search_text collate "C", k.id) > (:after1, :after2)
  order by k.search_text collate "C", k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.search_text collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.search_text collate "C")::text, (k.id)::text)::text, k.id, k.name,
  k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country,
  k.postal_code, k.status, k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end,
  k.managing_company, k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.search_text collate "C", k.id;

-- walk_filtered_companies_by_name_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from companies k
  where k.tenant_id = $1
  and k.deleted_at is null
  and (k.search_text collate "C", k.id) < (:after1, :after2)
  order by k.search_text collate "C" desc, k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.search_text collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.search_text collate "C")::text, (k.id)::text)::text, k.id, k.name,
  k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country,
  k.postal_code, k.status, k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end,
  k.managing_company, k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.search_text collate "C" desc, k.id desc;

-- walk_filtered_contacts
with seen as materialized (
  select k.id, k.is_primary, k.first_name, k.last_name, k.email, k.updated_at, k.metadata
  from contacts_behind(:parent, :after1, :after2, :after3, :scanned) behind
  cross join lateral (
    select k.*
    from contacts k
    where k.tenant_id = $1
    and k.id = behind.id
    limit 1
  ) k
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  and (:words::text is null or fold(concat_ws(' ', k.first_name, k.last_name, k.email)) like all(array(
    select search_pattern(word)
    from regexp_split_to_table(:words, '\s+') word
  )))
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.is_primary)::text, (fold(k.first_name) collate "C")::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.is_primary)::text, (fold(k.first_name) collate "C")::text,
  (k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position,
  k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language,
  case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.is_primary desc, fold(k.first_name) collate "C", k.id;

-- walk_filtered_contacts_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id, k.first_name, k.last_name, k.email, k.updated_at, k.metadata
  from contacts k
  where k.tenant_id = $1
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email,
  k.phone, k.mobile, k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting,
  k.preferred_language, case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_filtered_invoices
with seen as materialized (
  select k.*
  from ((
    select k.id, k.issued_on, k.status, k.wms_state, k.wms_needs_at, k.wms_shown, k.number, k.updated_at, k.metadata
    from invoices k
    where k.tenant_id = $1
    and k.company_id = :parent
    and (k.issued_on, k.id) < (:after1, :after2)
    order by k.issued_on desc nulls last, k.id desc
    limit :scanned
  ) union all (
    select k.id, k.issued_on, k.status, k.wms_state, k.wms_needs_at, k.wms_shown, k.number, k.updated_at, k.metadata
    from invoices k
    where k.tenant_id = $1
    and k.company_id = :parent
    and k.issued_on is null
    and k.id < case when :after1 is null then :after2 else 9223372036854775807 end
    order by k.issued_on desc nulls last, k.id desc
    limit :scanned
  )) k
  order by k.issued_on desc nulls last, k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:status::text is null or k.status = :status)
  and (:wms_state::text is null or k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
  and (:search::text is null or fold(k.number) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.issued_on)::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.issued_on)::text, (k.id)::text)::text, k.id, k.company_id, k.number,
  k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id, k.wms_state, k.wms_instance,
  k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error, k.created_at, k.updated_at,
  k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at, k.edited_at, k.wms_put_off_until,
  k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel, k.wms_cancel_error,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.external, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join invoices k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.issued_on desc nulls last, k.id desc;

-- walk_filtered_payments
with seen as materialized (
  select k.id, k.updated_at
  from payments k
  where k.tenant_id = $1
  and k.invoice_id = :parent
  and k.deleted_at is null
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.invoice_id, k.company_id, k.amount, k.paid_on,
  k.means, k.reference, k.created_at, k.updated_at, k.external
from reached
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_filtered_payments_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.updated_at
  from payments k
  where k.tenant_id = $1
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.invoice_id, k.company_id, k.amount, k.paid_on,
  k.means, k.reference, k.created_at, k.updated_at, k.external
from reached
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_invoices
with seen as materialized (
  select k.*
  from ((
    select k.id, k.issued_on, k.status, k.wms_state, k.wms_needs_at, k.wms_shown
    from invoices k
    where k.tenant_id = $1
    and k.company_id = :parent
    and (k.issued_on, k.id) < (:after1, :after2)
    order by k.issued_on desc nulls last, k.id desc
    limit :scanned
  ) union all (
    select k.id, k.issued_on, k.status, k.wms_state, k.wms_needs_at, k.wms_shown
    from invoices k
    where k.tenant_id = $1
    and k.company_id = :parent
    and k.issued_on is null
    and k.id < case when :after1 is null then :after2 else 9223372036854775807 end
    order by k.issued_on desc nulls last, k.id desc
    limit :scanned
  )) k
  order by k.issued_on desc nulls last, k.id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:status::text is null or k.status = :status)
  and (:wms_state::text is null or k.wms_state = case when :wms_state = 'cancelled_here' then 'sent' else :wms_state end and (:wms_state <> 'cancelled_here' or k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')))
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.issued_on)::text, (k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.issued_on)::text, (k.id)::text)::text, k.id, k.company_id, k.number,
  k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id, k.wms_state, k.wms_instance,
  k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error, k.created_at, k.updated_at,
  k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at, k.edited_at, k.wms_put_off_until,
  k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel, k.wms_cancel_error,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.external, case when octet_length(coalesce(k.values_text,
  k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join invoices k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.issued_on desc nulls last, k.id desc;

-- walk_payments
with seen as materialized (
  select k.id
  from payments k
  where k.tenant_id = $1
  and k.invoice_id = :parent
  and k.deleted_at is null
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (select k.id from seen k where true limit :found), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.invoice_id, k.company_id, k.amount, k.paid_on,
  k.means, k.reference, k.created_at, k.updated_at, k.external
from reached
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_payments_of_all
with seen as materialized (
  select k.id, k.deleted_at
  from payments k
  where k.tenant_id = $1
  and k.id > :after1
  order by k.id
  limit :scanned
), found as materialized (select k.id from seen k where k.deleted_at is null and true limit :found),
  reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.invoice_id, k.company_id, k.amount, k.paid_on,
  k.means, k.reference, k.created_at, k.updated_at, k.external
from reached
left join payments k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_values_of_companies_by_id
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from value_entries v
  cross join lateral (
    select k.*
    from companies k
    where k.tenant_id = $1
    and k.deleted_at is null
    and k.id = v.record_id
    limit 1
  ) k
  where v.tenant_id = $1
  and v.entry = value_entry('company', :value_key::text, :value::text)
  and v.record_id > :after1::bigint
  order by v.record_id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- walk_values_of_companies_by_id_down
with seen as materialized (
  select k.id, k.search_text, k.status, k.assigned_to, k.updated_at, k.metadata
  from value_entries v
  cross join lateral (
    select k.*
    from companies k
    where k.tenant_id = $1
    and k.deleted_at is null
    and k.id = v.record_id
    limit 1
  ) k
  where v.tenant_id = $1
  and v.entry = value_entry('company', :value_key::text, :value::text)
  and v.record_id < :after1::bigint
  order by v.record_id desc
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where (:search::text is null or k.search_text like (select search_pattern(:search)))
  and (:status::text is null or k.status = :status)
  and (:assigned_to::bigint is null or k.assigned_to = :assigned_to)
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.name, k.tax_id, k.registration_number,
  k.industry, k.website, k.phone, k.email, k.address, k.city, k.county, k.country, k.postal_code, k.status,
  k.status_code, k.assigned_to, case when octet_length(k.notes) <= 8192 then k.notes end, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address,
  case when octet_length(k.delivery_notes) <= 8192 then k.delivery_notes end, k.callback_date, k.wms_subdomain,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.created_at, k.updated_at, k.deleted_at, k.payment_days, k.credit_limit, k.external,
  (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to),
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(k.delivery_notes) > 8192 then octet_length(k.delivery_notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join companies k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id desc;

-- walk_values_of_contacts_of_all
with seen as materialized (
  select k.id, k.deleted_at, k.company_id, k.first_name, k.last_name, k.email, k.updated_at, k.metadata
  from value_entries v
  cross join lateral (
    select k.*
    from contacts k
    where k.tenant_id = $1
    and true
    and k.id = v.record_id
    limit 1
  ) k
  where v.tenant_id = $1
  and v.entry = value_entry('contact', :value_key::text, :value::text)
  and v.record_id > :after1::bigint
  order by v.record_id
  limit :scanned
), found as materialized (
  select k.id
  from seen k
  where k.deleted_at is null
  and (
    select c.id
    from companies c
    where c.tenant_id = $1
    and c.id = k.company_id
    and c.deleted_at is null
    limit 1
  ) is not null
  and (:search::text is null or fold(k.first_name) like (select search_pattern(:search)) or fold(k.last_name) like (select search_pattern(:search)) or fold(k.email) like (select search_pattern(:search)))
  and (:updated_since::timestamptz is null or k.updated_at >= :updated_since)
  and (:custom::jsonb is null or k.metadata @> :custom)
  limit :found
), reached as materialized (
  select case when (select count(*) from found) < :found then (
    select json_build_array((k.id)::text)::text
    from (select * from seen offset :scanned - 1 limit 1) k
  ) end as position
)
select reached.position, json_build_array((k.id)::text)::text, k.id, k.company_id, k.first_name, k.last_name, k.email,
  k.phone, k.mobile, k.position, k.department, k.job_title, k.is_primary, k.is_decision_maker, k.is_accounting,
  k.preferred_language, case when octet_length(k.notes) <= 8192 then k.notes end, k.birth_date, k.gender, k.timezone,
  case when octet_length(coalesce(k.values_text, k.metadata::text)) <= 8192 then coalesce(k.values_text,
  k.metadata::text) end, k.last_contacted_at, k.created_at, k.updated_at, k.deleted_at, k.external,
  case when octet_length(k.notes) > 8192 then octet_length(k.notes) else 0 end + case when octet_length(coalesce(k.values_text, k.metadata::text)) > 8192 then octet_length(coalesce(k.values_text, k.metadata::text)) else 0 end
from reached
left join contacts k on k.tenant_id = $1
and k.id = any(array(select id from found))
order by k.id;

-- whole_addresses
select k.id, k.company_id, k.type, k.label, k.address, k.city, k.county, k.country, k.postal_code, k.contact_name,
  k.phone, k.delivery_notes, k.is_default, k.created_at, k.updated_at, null, k.external
from addresses k
where k.tenant_id = $1
and k.id = any(:ids::bigint[]);

-- whole_companies
select k.id, k.name, k.tax_id, k.registration_number, k.industry, k.website, k.phone, k.email, k.address, k.city,
  k.county, k.country, k.postal_code, k.status, k.status_code, k.assigned_to, k.notes, k.managing_company,
  k.employee_count, k.activity_domain, k.fiscal_address, k.delivery_notes, k.callback_date, k.wms_subdomain,
  coalesce(k.values_text, k.metadata::text) as metadata, k.created_at, k.updated_at, null, k.payment_days,
  k.credit_limit, k.external, (select u.name from users u where u.tenant_id = $1 and u.id = k.assigned_to)
from companies k
where k.tenant_id = $1
and k.id = any(:ids::bigint[]);

-- whole_contacts
select k.id, k.company_id, k.first_name, k.last_name, k.email, k.phone, k.mobile, k.position, k.department, k.job_title,
  k.is_primary, k.is_decision_maker, k.is_accounting, k.preferred_language, k.notes, k.birth_date, k.gender, k.timezone,
  coalesce(k.values_text, k.metadata::text) as metadata, k.last_contacted_at, k.created_at, k.updated_at, null,
  k.external
from contacts k
where k.tenant_id = $1
and k.id = any(:ids::bigint[]);

-- whole_invoices
select k.id, k.company_id, k.number, k.issued_on, k.due_on, k.total, k.currency, k.status, k.delivery_address_id,
  k.wms_state, k.wms_instance, k.wms_order_id, k.wms_order_number, k.wms_status, k.wms_synced_at, k.wms_error,
  k.created_at, k.updated_at, k.wms_shown, k.wms_needs_at, k.wms_settled_at, k.wms_moved_at, k.wms_updated_at,
  k.edited_at, k.wms_put_off_until, k.wms_checked_at, k.terms_due_on, k.corrects_id, k.paid, k.wms_cancel,
  k.wms_cancel_error, coalesce(k.values_text, k.metadata::text) as metadata, k.external
from invoices k
where k.tenant_id = $1
and k.id = any(:ids::bigint[]);

-- whole_payments
select k.id, k.invoice_id, k.company_id, k.amount, k.paid_on, k.means, k.reference, k.created_at, k.updated_at,
  k.external
from payments k
where k.tenant_id = $1
and k.id = any(:ids::bigint[]);

-- write_merged_company
update companies k set name = r.name, tax_id = r.tax_id, registration_number = r.registration_number,
  industry = r.industry, website = r.website, phone = r.phone, email = r.email, address = r.address, city = r.city,
  county = r.county, country = r.country, postal_code = r.postal_code, status = r.status, status_code = r.status_code,
  assigned_to = r.assigned_to, notes = r.notes, managing_company = r.managing_company,
  employee_count = r.employee_count, activity_domain = r.activity_domain, fiscal_address = r.fiscal_address,
  delivery_notes = r.delivery_notes, payment_days = r.payment_days, credit_limit = r.credit_limit,
  last_contacted_at = r.last_contacted_at, metadata = r.metadata::jsonb,
  values_text = case when k.metadata = r.metadata::jsonb then k.values_text end, external = :external::jsonb,
  former_ids = :formerIds::jsonb, updated_at = moment_after(k.updated_at), changed_by = :by
from json_to_recordset(json_build_array(:values::json)) as r(name text, tax_id text, registration_number text,
  industry text, website text, phone text, email text, address text, city text, county text, country text,
  postal_code text, status text, status_code bigint, assigned_to bigint, notes text, managing_company text,
  employee_count bigint, activity_domain text, fiscal_address text, delivery_notes text, payment_days bigint,
  credit_limit numeric, last_contacted_at timestamptz, metadata text)
where k.tenant_id = $1
and k.id = :id
returning k.id;

-- write_merged_contact
update contacts k set first_name = r.first_name, last_name = r.last_name, email = r.email, phone = r.phone,
  mobile = r.mobile, position = r.position, department = r.department, job_title = r.job_title,
  is_primary = r.is_primary, is_decision_maker = r.is_decision_maker, is_accounting = r.is_accounting,
  preferred_language = r.preferred_language, notes = r.notes, birth_date = r.birth_date, gender = r.gender,
  timezone = r.timezone, last_contacted_at = r.last_contacted_at, metadata = r.metadata::jsonb,
  values_text = case when k.metadata = r.metadata::jsonb then k.values_text end, external = :external::jsonb,
  former_ids = :formerIds::jsonb, updated_at = moment_after(k.updated_at), changed_by = :by
from json_to_recordset(json_build_array(:values::json)) as r(first_name text, last_name text, email text, phone text,
  mobile text, position text, department text, job_title text, is_primary boolean, is_decision_maker boolean,
  is_accounting boolean, preferred_language text, notes text, birth_date date, gender text, timezone text,
  last_contacted_at timestamptz, metadata text)
where k.tenant_id = $1
and k.id = :id
returning k.id;
