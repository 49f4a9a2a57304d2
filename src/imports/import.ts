import type { TenantId } from "../platform/postgres/tenant-id.ts";

/**
 * The way of an import: uploaded, checked without writing anything, and on somebody's word run. Whoever cancels ends it where it
 * is; what it wrote can be undone.
 */
export const importStates = [
  "uploading",
  "mapping",
  "checking",
  "checked",
  "running",
  "done",
  "cancelled",
  "failed",
  "undoing",
  "undone",
] as const;
export type ImportState = (typeof importStates)[number];

/** Why an import could not be made: its file does not decrypt any more, it has too many rows, or too many that mean the same one, it failed again and again, or whoever was at it died of it. */
export const importFailures = ["unreadable", "too-many-rows", "one-identity", "trouble", "deaths"] as const;
export type ImportFailure = (typeof importFailures)[number];

/** The most rows of a file. */
export const ROWS_LIMIT = 1_000_000;
/** The days that a file is kept, with all that is known of its rows. */
export const KEPT_DAYS = 30;

/** An import's job, and the one that removes its file; the subject of both is its id (src/jobs/job.ts). */
export const IMPORT_JOB = "import";
export const FORGET_JOB = "forget-import";

/** One import of a tenant runs at a time: each reads a whole file and writes as much as the database takes. */
export function importLane(tenant: TenantId): string {
  return `import/${tenant}`;
}

/** Somebody else has the import meanwhile, or it was cancelled: nothing of the transaction is there. */
export class Overtaken extends Error {
  constructor() {
    super("the import is not this attempt's any more");
    this.name = "Overtaken";
  }
}
