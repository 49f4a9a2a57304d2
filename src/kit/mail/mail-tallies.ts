import { Tallies } from "../../platform/metrics/tallies.ts";
import { mailKinds } from "./mail-kind.ts";

/** The mail of this process, by kind and outcome of an attempt. Mail that waits is liaison_jobs. */
export const mailTallies = new Tallies({
  labels: ["kind", "outcome"],
  count: {
    name: "liaison_mails_total",
    help: "Mails that were sent, failed and come again, were given up, or waited because their hour had enough.",
  },
  fromStart: Object.keys(mailKinds).map((kind) => [kind, "given_up"]),
});
