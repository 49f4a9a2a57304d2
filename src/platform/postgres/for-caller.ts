import type { Caller } from "../sharing/caller.ts";
import { PRICES } from "../sharing/prices.ts";
import type { Time } from "../sharing/time.ts";
import type { Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/** Reports to the caller when its query begins and ends. */
export async function reportingQuery<T>(caller: Caller, answer: Promise<T>): Promise<T> {
  caller.queryBegins?.();
  try {
    return await answer;
  } finally {
    caller.queryEnds?.();
  }
}

/** Waits until it is the tenant's turn to process the rows; null if no other tenant is present. */
export function turnForRows(time: Time, tenant: TenantId, answers: Row[][], caller: Caller): Promise<void> | null {
  return time.isFree(tenant) ? null : time.waitForTurn(tenant, expectedMs(sizeOf(answers)), caller);
}

type Size = { rows: number; characters: number };

function expectedMs({ rows, characters }: Size): number {
  return PRICES.answer + PRICES.row * rows + (PRICES.megabyteOfRows * characters) / 2 ** 20;
}

export function sizeOf(answers: Row[][]): Size {
  let [rows, characters] = [0, 0];
  for (const answer of answers) {
    rows += answer.length;
    // By index: for the longest lists, an iterator for each row would be measurable.
    for (const row of answer) for (let at = 0; at < row.length; at++) characters += row[at]?.length ?? 0;
  }
  return { rows, characters };
}
