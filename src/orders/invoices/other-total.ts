import { sumOf } from "../../kit/web/assets/numbers.js";
import type { RowByName } from "../../platform/fields/reader.ts";
import { storedLines } from "./invoice.ts";

/** Whether the total is not the sum of the lines, where there are some. */
export function hasOtherTotal({ lines = null, total = null, currency = null }: RowByName): boolean {
  const parsed = storedLines(lines);
  return parsed.length > 0 && total !== null && Number(total) !== Number(sumOf(parsed, currency));
}
