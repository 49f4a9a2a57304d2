import { rolledBack } from "../../../kit/tried-writes.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import { COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import type { BatchOutcome, Kind, Rejection, Transact } from "../kind.ts";
import { nameIn, namesCompany, type ImportRow } from "../reading/rows.ts";
import { changedRows, type ChangedRow } from "./changed-rows.ts";

/** The group of a row. Rows of one group may depend on each other: the same tax id, the same invoice number. */
export function groupOf({ bulk, namedBy }: Kind, { identity, input, line }: ImportRow): string {
  return (identity ?? nameIn(bulk.fields, namedBy[0], input))?.compared ?? `\0${line}`;
}

/** The columns that identify the row within its group. */
function nameOf({ namedBy }: Kind, { input }: ImportRow): string {
  return JSON.stringify(namedBy.map((name) => input[name]));
}

function withoutCompany(input: Input = {}): Input {
  const { [COMPANY_ID]: _id, [COMPANY_TAX_ID]: _taxId, [COMPANY_NAME]: _name, ...rest } = input;
  return rest;
}

function createdBy(outcome: BatchOutcome | null): ReadonlySet<string> {
  return new Set(
    outcome?.written.flatMap(({ id, stored, isPerson }) => (stored === null && isPerson !== true ? id : [])),
  );
}

/** Changed rows that are reported per file. */
const MOST_REPORTED = 10_000;

/**
 * Transactions that are rolled back. Each one first repeats the earlier writes of its groups. It repeats one row for
 * each name, which combines the latest value of each cell.
 * @param isRepeated whether a group may have further rows
 */
export function rollingBack(
  isRepeated: (group: string) => boolean,
  onChanged: (changed: readonly ChangedRow[]) => Promise<void>,
  onWritten: (rows: readonly ImportRow[], outcome: BatchOutcome) => Promise<void>,
): Transact {
  const groups = new Map<string, Map<string, ImportRow>>();
  let reported = 0;

  function remember(kind: Kind, rows: ImportRow[], rejected: readonly Rejection[]): void {
    const refused = new Set(rejected.map(({ line }) => line));
    for (const row of rows) {
      const group = groupOf(kind, row);
      if (refused.has(row.line) || !isRepeated(group)) continue;
      const earlier = groups.getOrInsertComputed(group, () => new Map());
      const name = nameOf(kind, row);
      const cells = earlier.get(name)?.input;
      earlier.delete(name);
      earlier.set(name, { ...row, input: { ...(namesCompany(row) ? withoutCompany(cells) : cells), ...row.input } });
    }
  }

  return async (target, rows) => {
    const { deps, kind, actor } = target;
    const named = new Set(rows.map((row) => groupOf(kind, row)).filter(isRepeated));
    const before: ImportRow[] = [];
    for (const group of named) before.push(...(groups.get(group)?.values() ?? []));
    let changed: ChangedRow[] = [];
    const outcome = await rolledBack(deps.database, actor.tenant, async (run) => {
      const earlier = before.length > 0 ? await kind.write(run, target, before) : null;
      const outcome = await kind.write(run, target, rows);
      if (reported < MOST_REPORTED) changed = await changedRows(run, target, outcome, createdBy(earlier));
      return outcome;
    });
    reported += changed.length;
    await onWritten(rows, outcome);
    if (changed.length > 0) await onChanged(changed);
    remember(kind, rows, outcome.rejected);
    return outcome;
  };
}
