import { Tallies } from "../../platform/metrics/tallies.ts";

/** The attempts of this process at jobs, by outcome (job.ts). `finished`: the job stored its end with its result. */
export const attemptTallies = new Tallies({
  labels: ["kind", "outcome"],
  count: { name: "liaison_job_attempts_total", help: "Attempts at jobs that ended." },
  seconds: { name: "liaison_job_attempt_seconds_total", help: "Seconds that they took." },
});
