-- Where the goods of an invoice go, whether its cancellation is wanted in the warehouse too, and a shown state that a
-- trigger derives: another state needs no rewrite of the table.

-- The address of its company to which an invoice's goods go; null: the default one.
alter table invoices add column delivery_address_id bigint;
alter table invoices add foreign key (tenant_id, delivery_address_id) references addresses (tenant_id, id) not valid;
-- The delivery of the order, encrypted JSON as the warehouse received it (docs/wms.md 3); null: it received none.
alter table invoices add column delivered_to text;
comment on column invoices.delivered_to is 'history: hidden';

-- The progress of the cancellation of an invoice's order in the warehouse. Null: nobody asked for it, or it is over.
-- `queued` and `unknown` (an answer was lost) have a job. `asked`: the warehouse accepted it. `kept`: it no longer
-- cancels the order. `unsupported`: it has no such call. `failed`: a person has to ask again.
alter table invoices add column wms_cancel text;
-- Why, as in wms_error; and when that was recorded.
alter table invoices add column wms_cancel_error text;
alter table invoices add column wms_cancel_at timestamptz;
comment on column invoices.wms_cancel is 'history: hidden';
comment on column invoices.wms_cancel_error is 'history: hidden';
comment on column invoices.wms_cancel_at is 'history: hidden';

-- The values and their indexes stay.
alter table invoices alter column wms_shown drop expression;
alter table invoices alter column wms_needs_at drop expression;
comment on column invoices.wms_shown is 'history: hidden';
comment on column invoices.wms_needs_at is 'history: hidden';
call keep_history('invoices', 'invoice');

-- The argument enables the steps that need these columns: triggers of earlier migrations run while they are missing.
-- Load functions: order_shown, order_needs_at, sends_automatically, invoices_before_insert, invoices_before_update
create or replace trigger before_insert before insert on invoices for each row
  execute function invoices_before_insert('with wms_shown');
create or replace trigger before_update before update on invoices for each row
  when ((old.company_id, old.number, old.issued_on, old.due_on, old.total::text, old.currency, old.status, old.lines,
      old.external, old.delivery_address_id, old.wms_state, old.wms_status, old.wms_gone_at, old.wms_order_id,
      old.wms_instance, old.wms_is_final, old.wms_moved_at, old.wms_updated_at, old.wms_synced_at, old.wms_open_since,
      old.wms_settled_at, old.created_at, old.wms_shown, old.wms_needs_at)
    is distinct from (new.company_id, new.number, new.issued_on, new.due_on, new.total::text, new.currency, new.status,
      new.lines, new.external, new.delivery_address_id, new.wms_state, new.wms_status, new.wms_gone_at,
      new.wms_order_id, new.wms_instance, new.wms_is_final, new.wms_moved_at, new.wms_updated_at, new.wms_synced_at,
      new.wms_open_since, new.wms_settled_at, new.created_at, new.wms_shown, new.wms_needs_at))
  execute function invoices_before_update('with wms_shown');
-- Nothing can write another state, as with a generated column.
alter table invoices enable always trigger before_insert;
alter table invoices enable always trigger before_update;
