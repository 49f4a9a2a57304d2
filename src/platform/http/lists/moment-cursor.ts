import { parseTimestamp, isoTimestamp } from "../../dates.ts";
import { isId } from "../../ids.ts";

/**
 * A position in a list that is ordered by time, newest first: a row's time and, for several at the same time, its id.
 */
export type Moment = { at: string; id: string };

/** Sorts after every row: the beginning of a list. */
const LATEST: Moment = { at: "infinity", id: "9223372036854775807" };

/** The position in an address; the beginning if there is none. */
export function momentBefore(text: string | undefined): Moment {
  const [at = "", id = "", ...rest] = (text ?? "").split("_");
  const isPosition = rest.length === 0 && parseTimestamp(at) === at && isId(id);
  return isPosition ? { at, id } : LATEST;
}

/** The position of a row, for an address. @param at as PostgreSQL writes it under `TimeZone=UTC` */
export function momentText({ at, id }: Moment): string {
  return `${isoTimestamp(at)}_${id}`;
}
