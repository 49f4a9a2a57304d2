import type pg from "pg";
import type { Call } from "../statement.ts";

/** Some hundred kilobytes of PostgreSQL's memory. More than are ever under way at once on a connection. */
const KEPT = 100;

/** Of each connection, the statements of which there are many, the latest at the end. */
const kept = new WeakMap<pg.Client, Set<string>>();

/**
 * Keeps what is prepared on a connection bounded, where clients decide how many different statements there are: what was
 * not used for longest is forgotten, on both sides, before these calls are sent.
 */
export function makeRoom(client: pg.Client, calls: Call[]): void {
  for (const { statement } of calls) {
    if (statement.isOneOfMany !== true) continue;
    const names = kept.getOrInsertComputed(client, () => new Set());
    names.delete(statement.name);
    names.add(statement.name);
    const [oldest] = names;
    if (names.size > KEPT && oldest !== undefined) forget(client, names, oldest);
  }
}

function forget(client: pg.Client, names: Set<string>, name: string): void {
  names.delete(name);
  // One that failed while it was prepared is not there: that it cannot be forgotten then is no harm.
  client.query(`deallocate "${name}"`, () => {});
  delete (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection
    .parsedStatements[name];
}
