-- Moves the version that If-Match compares. What differs decides, not the writer, so that no writer has to know.
create or replace function mark_edited() returns trigger language plpgsql as $$
begin
  new.edited_at := moment_after(old.edited_at);
  return new;
end
$$;
