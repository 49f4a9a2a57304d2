import type { Call } from "../statement.ts";
import { wasRolledBack } from "./coalescer.ts";
import type { LanePolicy } from "./on-lanes.ts";
import { reading, retrying } from "./retries.ts";
import { beginPatiently, beginReading, beginReadingPatiently, beginWriting } from "./transaction.ts";

/** All reads of a tenant share transactions. A slow kind of read, named by its first statement, moves to the pool. */
export const READS: LanePolicy = {
  begin: beginReading,
  beginPatiently: beginReadingPatiently,
  patienceMs: 100,
  again: reading,
  groupOf: () => "",
  namesOf: (tenant, [first]) => [`${tenant}/${first?.statement.name}`],
  mayRepeat: () => true,
  early: true,
  // On two lanes, so that each always has its next transaction ready.
  atOnce: 4,
};

/** Writes of one statement share transactions. Rows whose writes are slow or locked move to the pool. */
export const WRITES: LanePolicy = {
  begin: beginWriting,
  beginPatiently,
  // Longer than the wait for locks (request-settings.ts).
  patienceMs: 250,
  again: retrying,
  groupOf,
  namesOf: (tenant, calls) => idsOf(calls).map((id) => `${tenant}/${String(id)}`),
  mayRepeat: wasRolledBack,
  early: false,
  // Entries that arrive in the meantime make the next transaction larger.
  atOnce: 1,
};

/**
 * Only calls that all take entries share, with the same statements: two transactions of different statements could lock
 * the same rows in opposite order. A unit may have several statements, but only one locks rows; the others claim keys
 * without waiting.
 */
function groupOf(calls: Call[]): string | null {
  return calls.every(({ entries }) => entries !== undefined)
    ? calls.map(({ statement }) => statement.name).join()
    : null;
}

/** The rows that calls change by id, of whatever table. */
function idsOf(calls: Call[]): unknown[] {
  return calls.flatMap(({ entries, answers }) => (answers === "by id" ? (entries ?? []).map(({ id }) => id) : []));
}
