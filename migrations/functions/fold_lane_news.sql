-- A part of claim_jobs: writes into lanes what lane_news has about them, and deletes the news. A lane without answers
-- closes for a while after `failures_to_close` failures.
create or replace function fold_lane_news(moment timestamptz, failures_to_close integer) returns void
  language plpgsql as $$
declare
  news_at_once constant integer := 5000;
  -- Computed outside of the statement: Citus does not allow it in a case.
  closed_to constant timestamptz := moment + interval '30 seconds';
  served timestamptz;
  news record;
begin
  for news in
    select n.tenant_id, array_agg(n.lane) as lanes, array_agg(n.ready_at) as ready, array_agg(n.ids) as ids,
      -- The failures since the last answer, and whether there was an answer; null without a call.
      array_agg(cardinality(n.verdicts) - coalesce((array_positions(n.verdicts, true))[cardinality(array_positions(n.verdicts, true))], 0)) as failed,
      array_agg(true = any(n.verdicts)) as answered
    from (
      select n.tenant_id, n.lane, min(n.ready_at) as ready_at, string_agg(n.id::text, ',') as ids,
        array_agg(n.answered order by n.id) filter (where n.answered is not null) as verdicts
      from (select * from public.lane_news n order by n.tenant_id, n.id limit news_at_once) n
      group by n.tenant_id, n.lane
    ) n
    group by n.tenant_id
  loop
    -- Behind the tenant's other lanes; otherwise a new lane would be served out of turn.
    select coalesce(max(l.served_at), '-infinity') into served from public.lanes l where l.tenant_id = news.tenant_id;
    insert into public.lanes (tenant_id, name, served_at)
    select news.tenant_id, u.name, served from unnest(news.lanes) as u (name)
    on conflict do nothing;
    update public.lanes l set ready_at = least(l.ready_at, u.ready_at),
      ready_id = case when u.ready_at <= l.ready_at then 0 else l.ready_id end,
      failures = case when u.answered then 0 else l.failures end + coalesce(u.failed, 0),
      closed_until = case when u.failed is null then l.closed_until
        when case when u.answered then 0 else l.failures end + u.failed >= failures_to_close then closed_to end
    from unnest(news.lanes, news.ready, news.failed, news.answered) as u (name, ready_at, failed, answered)
    where l.tenant_id = news.tenant_id and l.name = u.name;
    delete from public.lane_news n
    where n.tenant_id = news.tenant_id and n.id = any(string_to_array(array_to_string(news.ids, ','), ',')::bigint[]);
  end loop;
end
$$;
