import type { Input } from "../../platform/fields/fields.ts";
import { trim } from "../../platform/text.ts";
import type { Header } from "./header.ts";

export type ImportRow = {
  /** The physical line where it starts. */
  line: number;
  /** The value of the field that says which row is meant (Bulk); null where the row has none. */
  identity: string | null;
  /** The fields, as a request's body would hold them. */
  input: Input;
};

/** The row of as many cells as the header has. An empty cell is null, or nothing where it leaves what is there; a boolean may be written out. */
export function rowOf(
  { columns, clearsEmpty }: Header,
  identityField: string | null,
  line: number,
  cells: string[],
): ImportRow {
  const input: Record<string, string | boolean | null> = {};
  for (const { index, name, kind } of columns) {
    const text = trim(cells[index] ?? "");
    if (text === "" && !clearsEmpty) continue;
    input[name] = text === "" ? null : kind === "boolean" ? (booleans.get(text.toLowerCase()) ?? text) : text;
  }
  const identity = identityField === null ? null : input[identityField];
  return { line, identity: isAskable(identity) ? identity : null, input };
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Whether PostgreSQL can be asked for the value. Validation refuses any other. */
function isAskable(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}
