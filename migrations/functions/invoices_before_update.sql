-- What the database derives when an invoice changes. Each step sees the values of the steps before it. The trigger of
-- 0040 has an argument, and fires for rows of a replica too: only the last step is for them.
create or replace function invoices_before_update() returns trigger language plpgsql as $$
declare
  is_other_order constant boolean :=
    old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance;
  -- An invoice that moves with its merged company, or back, is neither queued nor due on another day for it.
  is_merged boolean := false;
  -- The company whose connection its order was sent by, and the warehouse of that.
  sender bigint;
  warehouse text;
begin
  <<writing>>
  begin
    exit writing when current_setting('session_replication_role') = 'replica';
    -- 1. Version: a change of these fields changes the version that If-Match compares. The difference between the rows
    -- decides, so no writer has to set it.
    if (old.company_id, old.number, old.issued_on, old.due_on, old.total::text, old.currency, old.status, old.lines, old.external)
      is distinct from
      (new.company_id, new.number, new.issued_on, new.due_on, new.total::text, new.currency, new.status, new.lines, new.external)
    then
      new.edited_at := public.moment_after(old.edited_at);
    elsif tg_nargs > 0 then
      if old.delivery_address_id is distinct from new.delivery_address_id then
        new.edited_at := public.moment_after(old.edited_at);
      elsif tg_nargs > 1 then if old.metadata is distinct from new.metadata then
        new.edited_at := public.moment_after(old.edited_at);
      end if; end if;
    end if;

    if old.company_id <> new.company_id then
      is_merged := exists (
        select from public.merges m
        where m.tenant_id = new.tenant_id and m.type = 'company' and m.undone_at is null
          and m.from_id in (old.company_id, new.company_id) and m.kept_id in (old.company_id, new.company_id));
      -- What a warehouse has or gets stays with the connection that it was sent by, unless the companies share one.
      sender := coalesce(old.wms_via, old.company_id);
      new.wms_via := null;
      if is_merged and sender <> new.company_id and (new.wms_instance is not null or new.wms_open_since is not null
        or new.wms_state in ('queued', 'sending', 'unknown'))
      then
        warehouse := lower((public.warehouse_of_company(new.tenant_id, sender)).subdomain);
        if warehouse <> lower(coalesce((public.warehouse_of_company(new.tenant_id, new.company_id)).subdomain, '')) then
          new.wms_via := sender;
        end if;
      end if;
    end if;

    -- 2. Queue: an invoice becomes sendable by its status, or by moving to another company. It is queued if the
    -- connection of its company sends automatically. A cancelled one that no warehouse can have is not sent: it leaves
    -- the queue, and its refusal needs nobody. For 90 days after a loss it may have been entered again.
    if new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid')
      and (old.status not in ('issued', 'paid') or (old.company_id <> new.company_id and not is_merged))
      and (public.warehouse_of_company(new.tenant_id, new.company_id)).sends_automatically
    then
      new.wms_state := 'queued';
    elsif new.status = 'cancelled' and new.wms_state in ('queued', 'failed') and new.wms_order_id is null
      and new.wms_open_since is null
    then
      if not exists (
        select from public.tenants t
        where t.id = new.tenant_id
          and t.orders_lost_at > least(greatest(new.created_at, new.wms_absent_at), now() - interval '90 days'))
      then
        new.wms_state := 'not_sent';
        new.wms_error := null;
        new.delivered_to := null;
        new.wms_via := null;
      end if;
    end if;

    -- 3. Owner: a link that replaces a sent or confirmed one comes from elsewhere, so Liaison does not own its order.
    if is_other_order and old.wms_owns_order then
      new.wms_owns_order := false;
    end if;

    -- 4. Follow: another order that comes with an instance is followed from now on.
    if is_other_order and new.wms_order_id is not null and new.wms_instance is not null and new.wms_poll_at is null then
      new.wms_poll_at := now();
    end if;

    -- 5. Movement: a change of the order's state has a time, and ends what a person decided. The worker that reads the
    -- order in the warehouse writes the time, and whether the status is final. Other writers know neither.
    if is_other_order or old.wms_state <> new.wms_state or old.wms_status is distinct from new.wms_status
      or (old.wms_gone_at is null) <> (new.wms_gone_at is null)
    then
      if new.wms_moved_at is not distinct from old.wms_moved_at then
        new.wms_moved_at := now();
        new.wms_is_final := null;
      end if;
      if is_other_order then new.wms_gone_at := null; end if;
      new.wms_settled_at := null;
      new.wms_put_off_until := null;
    end if;

    -- 6. State: an invoice with an order is sent, whichever writer set the order. An invoice that loses its order
    -- becomes not sent, or unknown if sending was attempted. In the latter case the order is looked up at the instance of the
    -- last attempt.
    if (new.wms_order_id is null) = (new.wms_state = 'sent') then
      new.wms_state := case when new.wms_order_id is not null then 'sent' when new.wms_attempt > 0 then 'unknown' else 'not_sent' end;
      new.wms_error := null;
      if new.wms_state = 'unknown' then
        new.wms_open_since := now();
        new.wms_open_instance := coalesce(old.wms_open_instance, old.wms_instance);
        new.wms_poll_at := null;
      end if;
    end if;

    -- 7. Terms: an invoice without a due date is due by the terms of its company, or else of the workspace. Other
    -- changes keep the day, whatever the terms are by now.
    if not is_merged
      and (old.issued_on, old.due_on, old.company_id) is distinct from (new.issued_on, new.due_on, new.company_id)
    then
      new.terms_due_on := null;
      if new.due_on is null and new.issued_on is not null then
        new.terms_due_on := new.issued_on + public.payment_days_of(new.tenant_id, new.company_id);
      end if;
    end if;

    -- 8. Payments: marking as paid pays the rest, and taking that back takes the newest payments back
    -- (invoices_after_update). A draft has none. Any other change of the status or the total makes the status follow from
    -- what is paid. A write that changes `paid` itself has decided the status. Older migrations have no such column, and
    -- change neither status nor total.
    if (old.status, old.total) is distinct from (new.status, new.total) then if new.paid = old.paid then
      if new.status = 'draft' then
        new.paid := 0;
      elsif new.status = 'paid' and (old.status <> 'paid' or coalesce(old.total, 0) = 0) then
        if public.is_settled(new.total, new.paid) is false then new.paid := new.total; end if;
      elsif new.status = 'issued' and old.status = 'paid' then
        new.paid := new.paid - coalesce((
          select sum(t.amount) from public.payments_to_take_back(new.tenant_id, new.id, new.total, new.paid) t), 0);
      elsif new.status in ('issued', 'paid') then
        new.status := case
          when public.is_settled(new.total, new.paid) then 'paid'
          when not public.is_settled(new.total, new.paid) then 'issued'
          else new.status end;
      end if;
    end if; end if;
  end;

  -- 9. Shown: the state of its order on all pages, and the time from which it needs a person. A cancellation ends what
  -- a person said of the invoice, and so does its end. The warehouse is asked to cancel while it is of use.
  if tg_nargs > 0 then
    if (old.status = 'cancelled') <> (new.status = 'cancelled') then
      new.wms_settled_at := null;
      new.wms_put_off_until := null;
    end if;
    new.wms_shown := public.order_shown(new.status, new.wms_state, new.wms_order_id, new.wms_instance, new.wms_gone_at,
      new.wms_status, new.wms_is_final);
    if new.wms_shown <> 'cancelled_here' then
      new.wms_cancel := null;
      new.wms_cancel_error := null;
    end if;
    new.wms_needs_at := public.order_needs_at(new.wms_shown,
      coalesce(new.wms_moved_at, new.wms_updated_at, new.wms_synced_at, new.created_at), new.wms_moved_at,
      new.created_at, new.wms_open_since, new.wms_synced_at, new.wms_settled_at);
  end if;
  return new;
end
$$;
