import type pg from "pg";
import type { Call } from "../statement.ts";

/** Some hundred kilobytes of PostgreSQL's memory. More than are ever under way at once on a connection. */
const MOST_CACHED = 100;

/** For each connection, its cached statements of the kind isOneOfMany, the most recent last. */
const cached = new WeakMap<pg.Client, Set<string>>();

/**
 * Limits the prepared statements of a connection whose number clients' input determines: the least recently used is
 * deallocated on both sides before these calls are sent.
 */
export function makeRoom(client: pg.Client, calls: Call[]): void {
  for (const { statement } of calls) {
    if (statement.isOneOfMany !== true) continue;
    const names = cached.getOrInsertComputed(client, () => new Set());
    names.delete(statement.name);
    names.add(statement.name);
    const [oldest] = names;
    if (names.size > MOST_CACHED && oldest !== undefined) forget(client, names, oldest);
  }
}

function forget(client: pg.Client, names: Set<string>, name: string): void {
  names.delete(name);
  // A statement that failed while it was prepared does not exist; an error here is harmless.
  client.query(`deallocate "${name}"`, () => {});
  const { parsedStatements } = client.connection as pg.Connection & { parsedStatements: Record<string, string> };
  delete parsedStatements[name];
}
