import { shortened } from "../../../platform/text.ts";
import type { BatchOutcome } from "../kind.ts";
import type { ImportRow } from "../reading/rows.ts";
import type { AlikeCounts, AlikeRow } from "./alike-rows.ts";
import type { ColumnFinding, LeftOut } from "./column-findings.ts";
import type { Noted } from "./noted-rows.ts";

/** A row of a file as a check read it. `id` names the stored row that has the same values. */
export type ListedRow = {
  line: number;
  id: string | null;
  fields: [name: string, value: string][];
  /** The stored companies that a new one looks like. */
  alike?: AlikeRow;
};

/** The first rows that an import would create, and the first that it would leave as they are. */
export type ListedRows = { created: ListedRow[]; unchanged: ListedRow[] };

/** The findings that a check stores for its page: these rows, notes about others, and what it found in the columns. */
export type CheckFindings = ListedRows & {
  noted: readonly Noted[];
  columns: readonly ColumnFinding[];
  leftOut: readonly LeftOut[];
  alike: AlikeCounts;
};

/** Rows of one outcome, their characters together, and those of a value. */
export const MOST_LISTED = 1_000;
const MOST_CHARACTERS = 256 * 1024;
const VALUE_LENGTH = 200;

/** Collects the rows of a check for its page. */
export function listingRows() {
  const listed: ListedRows = { created: [], unchanged: [] };
  const room = { created: MOST_CHARACTERS, unchanged: MOST_CHARACTERS };
  return {
    look(rows: readonly ImportRow[], outcome: BatchOutcome, alike: ReadonlyMap<number, AlikeRow>): void {
      if (isFull("created") && isFull("unchanged")) return;
      const outcomes = new Map(outcome.rows.map((row) => [row.line, row]));
      for (const { line, input } of rows) {
        const { outcome: what, id = null } = outcomes.get(line) ?? {};
        if ((what !== "created" && what !== "unchanged") || isFull(what)) continue;
        const said = outcome.notes?.get(line) ?? [];
        const leftOut = new Set(said.flatMap(({ why, field }) => (why === "unfit" ? [field] : [])));
        const fields = Object.entries(input).flatMap(([name, value]): ListedRow["fields"] =>
          leftOut.has(name)
            ? []
            : typeof value === "boolean" || (typeof value === "string" && value !== "")
              ? [[name, shortened(String(value), VALUE_LENGTH)]]
              : [],
        );
        room[what] -= fields.reduce((length, [name, value]) => length + name.length + value.length, 0);
        // A created row is rolled back, so its id names nothing.
        const like = what === "created" ? alike.get(line) : undefined;
        listed[what].push({ line, id: what === "created" ? null : id, fields, ...(like && { alike: like }) });
      }
    },
    /** By their lines. */
    listed: (): ListedRows => ({ created: inOrder(listed.created), unchanged: inOrder(listed.unchanged) }),
  };

  function isFull(what: keyof ListedRows): boolean {
    return listed[what].length >= MOST_LISTED || room[what] <= 0;
  }
}

function inOrder(rows: readonly ListedRow[]): ListedRow[] {
  return rows.toSorted((a, b) => a.line - b.line);
}
