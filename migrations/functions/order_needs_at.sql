-- The time from which an invoice needs a person; null: it does not. `since` is when its order moved last. Sums are made
-- in UTC, so that they do not depend on a session. PostgreSQL inlines the function.
create or replace function order_needs_at(
  wms_shown text, since timestamptz, wms_moved_at timestamptz, created_at timestamptz, wms_open_since timestamptz,
  wms_synced_at timestamptz, wms_settled_at timestamptz
) returns timestamptz language sql immutable as $$
  select case
    when wms_shown = 'refused' then coalesce(wms_moved_at, created_at)
    when wms_shown = 'being_checked' then
      timezone('UTC', timezone('UTC', coalesce(wms_open_since, wms_moved_at, created_at)) + interval '1 hour')
    when wms_shown = 'to_be_confirmed' then coalesce(wms_moved_at, wms_synced_at, created_at)
    when wms_shown in ('gone', 'cancelled_there', 'cancelled_here', 'shipped_cancelled') then
      case when wms_settled_at is null then since end
    when wms_shown like 'open:%' then timezone('UTC', timezone('UTC', since) + interval '3 days')
  end
$$;
