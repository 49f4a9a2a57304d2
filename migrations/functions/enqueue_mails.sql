-- The jobs of new mails. All mails of the installation go to one server, so they share a lane.
create or replace function enqueue_mails() returns trigger language plpgsql as $$
declare
  mail record;
begin
  for mail in select w.tenant_id, w.id from written w
  loop
    perform public.enqueue_jobs(mail.tenant_id, 'send-mail', array[mail.id], array['mail'], now(), 'leave');
  end loop;
  return null;
end
$$;
