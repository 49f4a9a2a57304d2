-- When an invoice was last changed by anybody but its warehouse, and so the version that If-Match compares: `updated_at` moves with
-- its order too. Decided by what differs and not by who writes, so that no writer has to know.
create or replace function mark_edited() returns trigger
  language plpgsql
as $$
begin
  new.edited_at := moment_after(old.edited_at);
  return new;
end
$$;
