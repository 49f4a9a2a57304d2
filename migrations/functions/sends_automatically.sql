-- Whether the connection that holds for a company sends new invoices automatically: its own, or else the workspace's,
-- unless its invoices are never sent. PostgreSQL inlines the function.
create or replace function sends_automatically(
  is_never boolean, subdomain text, key text, does_own boolean, workspace_key text, does_workspace boolean
) returns boolean language sql immutable as $$
  select not is_never and case when subdomain is null then workspace_key is not null and does_workspace
    else key is not null and does_own end
$$;
