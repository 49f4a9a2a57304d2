import type { Kinds } from "./jobs/job.ts";

/** Every kind of job on one page: what runs it, and how many run at once in one lane (src/jobs/job.ts says how to add one). */
export const kinds: Kinds = {};
