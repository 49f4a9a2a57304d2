import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/**
 * The states of an import: uploaded, checked without writing, then run when a user starts it. Cancelling ends it at any
 * point; rows already written can be undone.
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

/**
 * Why an import failed: its file cannot be decrypted, has too many rows, or has too many rows of one identity; a field
 * that it was to make exists; a field that it fills was archived or deleted; its attempts failed repeatedly; or the
 * process died at the same row twice.
 */
export const importFailures = [
  "unreadable",
  "too-many-rows",
  "one-identity",
  "field-taken",
  "field-gone",
  "trouble",
  "deaths",
] as const;
export type ImportFailure = (typeof importFailures)[number];
/** A further attempt may get over these. */
export const repeatable: readonly ImportFailure[] = ["trouble", "deaths", "field-gone"];

/** Maximum rows of a file. */
export const ROWS_LIMIT = 1_000_000;
/** Days until a file and the records of its rows are removed. */
export const RETENTION_DAYS = 30;
/** A request ends long before. What a killed process left of an upload is removed then. */
export const UPLOAD_MS = 3_600_000;

/** An import's job, and the job that removes its file. The subject of both is the import's id (src/kit/jobs/job.ts). */
export const IMPORT_JOB = "import";
export const FORGET_JOB = "forget-import";

/** A tenant's imports run one after the other: each reads a whole file and uses as much of the database as it can. */
export function importLane(tenant: TenantId): string {
  return `import/${tenant}`;
}

/** Another attempt has claimed the import, or it was cancelled: the transaction is rolled back. */
export class ClaimLost extends Error {
  constructor() {
    super("the import is not this attempt's any more");
    this.name = "ClaimLost";
  }
}
