import type { Statement } from "./statement.ts";

/**
 * The connections that PostgreSQL has free for roles that are no superusers. Its own workers count as connections, so
 * there may be a few more.
 */
export const freeConnectionsStatement: Statement = {
  name: "free_connections",
  text: `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true)::integer, 0) - (select sum(numbackends) from pg_stat_database)`,
};

/** Checks that the database answers. */
export const readyStatement: Statement = { name: "ready", text: "select 1" };
