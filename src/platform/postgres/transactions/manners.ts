import type { Call } from "../statement.ts";
import { wasTakenBack } from "./coalescer.ts";
import type { Manner } from "./on-lanes.ts";
import { reading, retrying } from "./retries.ts";
import { beginPatiently, beginReading, beginReadingPatiently, beginWriting } from "./transaction.ts";

/** All reads of a tenant share transactions, and a kind of reads goes aside by its first statement. */
export const READS: Manner = {
  begin: beginReading,
  beginPatiently: beginReadingPatiently,
  patienceMs: 100,
  again: reading,
  groupOf: () => "",
  namesOf: (tenant, [first]) => [`${tenant}/${first?.statement.name}`],
  mayRepeat: () => true,
  early: true,
  // On two lanes, so that each always has the next one there.
  atOnce: 4,
};

/** Writes of one statement share transactions, and the rows that they change go aside. */
export const WRITES: Manner = {
  begin: beginWriting,
  beginPatiently,
  // Locks are waited for less than that (request-settings.ts).
  patienceMs: 250,
  again: retrying,
  groupOf,
  namesOf: (tenant, calls) => idsOf(calls).map((id) => `${tenant}/${String(id)}`),
  mayRepeat: wasTakenBack,
  early: false,
  // Entries that come meanwhile make the next one larger.
  atOnce: 1,
};

/**
 * Only calls that all take entries share, those of the same statements: two transactions of several statements could lock the same rows
 * crosswise. Of the several that a unit may have, one alone locks rows: the others claim keys, which is never waited for.
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
