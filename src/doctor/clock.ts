import { now } from "../platform/clock.ts";
import type { Examination } from "./check.ts";
import { readClock } from "./doctor-queries.ts";

const MOST_SECONDS = 2;

/** Compares this machine's time with the database's. The duration of the query does not count. */
export const checkClock: Examination = async ({ database }) => {
  // The first query may wait for a connection.
  await readClock(database);
  const asked = now();
  const theirs = await readClock(database);
  const ours = (asked + now()) / 2_000;
  const ahead = ours - theirs;
  if (Math.abs(ahead) <= MOST_SECONDS) return [];
  const words = `${Math.abs(ahead).toFixed(0)} seconds ${ahead > 0 ? "ahead of" : "behind"}`;
  return [
    `The clock of this machine is ${words} the database's: have both set by NTP (timedatectl, chronyc tracking).`,
  ];
};
