-- Changes the version that If-Match compares. The difference between the rows decides, so no writer has to set it.
create or replace function mark_edited() returns trigger language plpgsql as $$
begin
  new.edited_at := moment_after(old.edited_at);
  return new;
end
$$;
