import { isoTimestamp } from "../dates.ts";
import type { Row } from "../postgres/statement.ts";
import type { Member } from "./json.ts";

/**
 * The state of a row: its id, and its version, which every change moves. A version is a timestamp, as PostgreSQL writes
 * it under `TimeZone=UTC`.
 */
export type RowState = { id: string; version: string };

/** The versions of a row that a write accepts; null: any. */
export type Expected = readonly string[] | null;

/** Whether a row that was read has one of the expected versions, which requests write as the API does. */
export function hasExpectedVersion(expected: Expected, { version }: RowState): boolean {
  return expected === null || expected.includes(isoTimestamp(version));
}

/**
 * Reads the state of rows that begin with their id and have the columns of these members.
 * @param version the name of the version's member
 */
export function stateReader(members: readonly Member[], version: string): (row: Row) => RowState {
  const at = members.findIndex(({ name }) => name === version);
  return (row) => ({ id: row[0] ?? "", version: row[at] ?? "" });
}
