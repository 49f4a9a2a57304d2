-- The jobs of new mails. All mails of the installation go to one server, so they share a lane.
create or replace function enqueue_mails() returns trigger language plpgsql as $$
declare
  mail record;
begin
  for mail in select w.tenant_id, w.id from written w
  loop
    insert into public.jobs (tenant_id, kind, subject, lane) values (mail.tenant_id, 'send-mail', mail.id, 'mail');
  end loop;
  return null;
end
$$;
