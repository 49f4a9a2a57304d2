import { readQueue } from "../jobs/job-queries.ts";
import type { Examination } from "./check.ts";

const MOST_OVERDUE_SECONDS = 120;

/** Jobs that no worker runs, that failed, or whose warehouse does not answer. */
export const checkQueue: Examination = async ({ database, areCallsHeld }) => {
  const { states, closedLanes } = await readQueue(database);
  const overdue = areCallsHeld ? [] : states.filter(({ overdueSeconds }) => overdueSeconds > MOST_OVERDUE_SECONDS);
  const failed = states.filter(({ state }) => state === "failed");
  return [
    ...overdue.map(
      ({ kind, jobs, overdueSeconds }) =>
        `${jobs} jobs of the kind ${kind} wait, the first for ${Math.round(overdueSeconds / 60)} minutes longer than it should: start a worker (liaison worker, or a server without LIAISON_WORKER=off), or read what it logs.`,
    ),
    ...failed.map(
      ({ kind, jobs }) => `${jobs} jobs of the kind ${kind} failed, and wait for somebody: read the log of the worker.`,
    ),
    ...(closedLanes === 0
      ? []
      : [
          `${closedLanes} queues are closed, because the warehouse that they call failed five times in a row: liaison wms status --tenant SLUG names it.`,
        ]),
  ];
};
