import { trim } from "../platform/text.ts";
import type { Input } from "../platform/fields/fields.ts";
import type { Header } from "./header.ts";

export type ImportRow = {
  /** The physical line where it starts. */
  line: number;
  /** The key that the kind's rows are known by; null where the row has none. */
  key: string | null;
  /** What a request's body would hold. */
  input: Input;
};

/** The row of a record as wide as the header. An empty cell is null, and a boolean may be written out. */
export function rowOf({ columns }: Header, keyField: string | null, line: number, cells: string[]): ImportRow {
  const input: Record<string, string | boolean | null> = {};
  for (const { index, name, kind } of columns) {
    const text = trim(cells[index] ?? "");
    input[name] = text === "" ? null : kind === "boolean" ? (booleans.get(text.toLowerCase()) ?? text) : text;
  }
  const key = keyField === null ? null : input[keyField];
  return { line, key: isKey(key) ? key : null, input };
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Whether PostgreSQL can be asked for it. Validation has its say on what it can't. */
function isKey(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}
