import type { LoadRequest } from "../load/load-job.ts";

/** What the bystander's process is sent. */
export type BystanderJob = {
  url: string;
  token: string;
  /** By name, the requests that it takes in turns. */
  operations: Record<string, LoadRequest[]>;
  /** Of each operation. */
  perSecond: number;
  seconds: number;
};

/** Of one operation: how long each answer took, and how many were not 2xx, by status; 0: there was none. */
export type Noticed = { milliseconds: number[]; failed: Record<number, number> };

export type BystanderResult = { operations: Record<string, Noticed>; ready: Noticed };
