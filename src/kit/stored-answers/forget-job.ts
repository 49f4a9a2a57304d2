/** The kind of the job that removes old answers every hour; one for each tenant that has any. */
export const FORGET_ANSWERS_JOB = "forget-answers";
/** All tenants share the lane: nobody waits for the removal. */
export const LANE = "kept-answers";

export const EVERY_MS = 3_600_000;
