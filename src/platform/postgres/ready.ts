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

/** Ten thousand numbers, a few hundred kB: more than PostgreSQL keeps in this memory, so it writes them to a file. */
export const writeFileStatement: Statement = {
  name: "write_file",
  text: "select count(*) from generate_series(1, 10000) n where $1::bigint is not null",
};
export const WITH_LITTLE_MEMORY = "set local work_mem = '64kB'";
