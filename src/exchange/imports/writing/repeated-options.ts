import { goneAmong, isCustom, METADATA, withoutSame } from "../../../platform/fields/custom.ts";
import type { Draft } from "../../../platform/fields/draft.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { Target } from "../kind.ts";
import type { ImportRow } from "../reading/rows.ts";
import type { Existing } from "./find-existing.ts";

type Drafted = { existing: Existing | undefined; draft: Draft };

/**
 * Drafts rows. An update may repeat an option of its stored row that is gone, as a single write may.
 * @param draft drafts a row, with the meaning `of` a row
 */
export async function withRepeatedOptions<D extends Drafted>(
  run: Run,
  { bulk, custom }: Target,
  rows: readonly ImportRow[],
  draft: (row: ImportRow, of: ImportRow) => D,
): Promise<D[]> {
  const drafts = rows.map((row) => draft(row, row));
  const fields = custom?.fields ?? bulk.fields.filter(isCustom);
  const wrong = rows.map((row, index) => {
    const { existing, draft: { messages } = { messages: null } } = drafts[index] ?? {};
    const gone = messages === null ? [] : goneAmong(fields, row.input);
    return { row, gone, id: gone.length === 0 ? undefined : existing?.id };
  });
  const ids = wrong.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return drafts;
  const stored = await bulk.stored([METADATA])(run, ids);
  return wrong.map(({ row, gone, id }, index) => {
    const before = stored.get(id ?? "");
    if (before === undefined) return drafts[index] as D;
    const input = withoutSame(row.input, gone, before.columns[METADATA] ?? null);
    return draft({ ...row, input }, row);
  });
}
