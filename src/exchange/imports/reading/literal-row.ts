import { trim } from "../../../platform/text.ts";
import type { CsvHeader } from "./header.ts";
import type { ImportRow } from "./rows.ts";

/** Whether a file is a change of listed rows: only it names rows by their ids without being an export. */
export function isLiteral({ idIndex, isOwnExport }: Pick<CsvHeader, "idIndex" | "isOwnExport">): boolean {
  return idIndex !== null && !isOwnExport;
}

/**
 * A row of such a file. Its cells have values as the program wrote them, in no person's spelling: `None` is a value too
 * (cells/meaning.ts). An empty one clears its field.
 */
export function literalRow(
  { idIndex, columns }: Pick<CsvHeader, "idIndex" | "columns">,
  { line, cells }: { line: number; cells: readonly string[] },
): ImportRow {
  const values = columns.map(({ index, name, kind }) => {
    const cell = cells[index] ?? "";
    return [name, cell === "" ? null : kind === "boolean" ? cell === "true" : cell];
  });
  return { line, id: trim(cells[idIndex ?? -1] ?? ""), identity: null, input: Object.fromEntries(values) };
}
