import { writeLines } from "../invoices/write-lines.ts";
import type { BatchOutcome, ImportTarget, Rejection } from "./kind.ts";
import type { ImportRow } from "./rows.ts";

/** Writes invoices' lines, in one transaction. */
export async function writeLineRows({ deps, actor }: ImportTarget, rows: ImportRow[]): Promise<BatchOutcome> {
  const inputs = rows.map(({ input }) => input);
  const outcomes = await deps.database.transaction(actor.tenant, async (run) => await writeLines(run, actor, inputs));
  const rejected: Rejection[] = [];
  let [created, updated] = [0, 0];
  for (const [index, written] of outcomes.entries()) {
    if (written.outcome === "created") created++;
    else if (written.outcome === "updated") updated++;
    else rejected.push({ line: rows[index]?.line ?? 0, errors: written.messages });
  }
  return { created, updated, rejected };
}
