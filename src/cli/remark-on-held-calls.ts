import type { OpenDeps } from "../kit/deps.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import { readHold, type Hold } from "../platform/postgres/held-calls.ts";

/** Reports at the start of a server or worker why it makes no outgoing calls. */
export async function remarkOnHeldCalls({ connection }: OpenDeps): Promise<void> {
  const hold = await asOwner(connection, readHold);
  if (hold !== null) console.log(wordsOfHold(hold));
}

/** One line: why calls are held, and how to end that. */
export function wordsOfHold({ since, why, isLoss }: Hold): string {
  const next = isLoss
    ? "`liaison resume --after-loss` lets them go out again, and `liaison resume` where nothing was lost (docs/operations.md 15)"
    : "`liaison resume` lets them go out again";
  return `Calls to others are held since ${since}, because ${why}: ${next}.`;
}
