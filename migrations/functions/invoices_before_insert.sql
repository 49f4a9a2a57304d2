-- What the database derives for a new invoice. Each step sees the values of the steps before it. The trigger of 0040
-- has an argument, and fires for rows of a replica too: only the last step is for them.
create or replace function invoices_before_insert() returns trigger language plpgsql as $$
declare
  of_company record;
begin
  <<writing>>
  begin
    exit writing when current_setting('session_replication_role') = 'replica';
    -- Its company's connection and terms, by one query, since most invoices need both.
    select public.sends_automatically(c.wms_never, c.wms_subdomain, c.wms_api_key, c.wms_send_automatically,
        w.wms_api_key, w.wms_send_automatically) as sends,
      coalesce(c.payment_days, d.payment_days, 30) as payment_days
    into of_company from public.companies c
    left join public.workspace_warehouses w on w.tenant_id = new.tenant_id
    left join public.workspace_details d on d.tenant_id = new.tenant_id
    where c.tenant_id = new.tenant_id and c.id = new.company_id;

    -- 1. Queue: a sendable invoice is queued if the connection of its company sends automatically, whichever door wrote
    -- it.
    if new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid') and of_company.sends then
      new.wms_state := 'queued';
    end if;

    -- 2. Follow: an order that comes with an instance is followed from now on.
    if new.wms_order_id is not null and new.wms_instance is not null and new.wms_poll_at is null then
      new.wms_poll_at := now();
    end if;

    -- 3. State: an invoice with an order is sent, and one without is not, whichever writer set the order.
    if (new.wms_order_id is null) = (new.wms_state = 'sent') then
      new.wms_state := case when new.wms_order_id is not null then 'sent' when new.wms_attempt > 0 then 'unknown' else 'not_sent' end;
      new.wms_error := null;
    end if;

    -- 4. Terms: an invoice without a due date is due by the terms of its company, or else of the workspace. A restored
    -- one brings its day.
    if new.due_on is null and new.issued_on is not null and new.terms_due_on is null then
      new.terms_due_on := new.issued_on + coalesce(of_company.payment_days, 30);
    end if;

    -- 5. Payment: an invoice that is created as paid has a payment of its total (invoices_after_insert). A restored one
    -- brings what is paid.
    if new.status = 'paid' and new.paid = 0 then
      new.paid := coalesce(new.total, 0);
    end if;
  end;

  -- 6. Shown: the state of its order on all pages, and the time from which it needs a person.
  if tg_nargs > 0 then
    new.wms_shown := public.order_shown(new.status, new.wms_state, new.wms_order_id, new.wms_instance, new.wms_gone_at,
      new.wms_status, new.wms_is_final);
    new.wms_needs_at := public.order_needs_at(new.wms_shown,
      coalesce(new.wms_moved_at, new.wms_updated_at, new.wms_synced_at, new.created_at), new.wms_moved_at,
      new.created_at, new.wms_open_since, new.wms_synced_at, new.wms_settled_at);
  end if;
  return new;
end
$$;
