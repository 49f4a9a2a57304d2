import { isId } from "../../../platform/ids.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { trim } from "../../../platform/text.ts";
import type { RowNote } from "../cells/read-cell.ts";
import { COMPANY_ID, COMPANY_NAME, COMPANY_TAX_ID } from "../columns/company-columns.ts";
import { folded } from "../columns/folded.ts";
import type { Target } from "../kind.ts";
import type { ImportRow } from "../reading/rows.ts";
import { companyNamed, findParents, parentOf } from "./parent-companies.ts";

/**
 * Rows of an export without the ids that mean another record here, which are noted. The export of another installation
 * has such ids: no live row has one, or that row has neither the company nor a name of the file's row.
 */
export async function withKnownIds(run: Run, target: Target, rows: readonly ImportRow[]): Promise<ImportRow[]> {
  const [companies, stored] = await Promise.all([
    target.kind.ofCompany ? companiesByTaxId(run, rows) : new Map<ImportRow, string>(),
    storedNames(run, target, rows),
  ]);
  return rows.map((row) => {
    const company = companies.get(row);
    const id = row.id === "" ? null : row.id;
    const columns = stored.get(id ?? "");
    const { [COMPANY_ID]: companyId = columns?.company_id, ...others } = row.input;
    // A row may move to another company if its number and its fiscal id agree.
    const mayBe = company === undefined || company === companyId;
    const isKnown =
      columns !== undefined &&
      ((company !== undefined && company === columns.company_id) || (mayBe && isNamedAlike(target, row, columns)));
    const read = id === null || isKnown ? { ...row, id } : withoutId(row, "id", id, row.input);
    if (typeof row.input[COMPANY_ID] !== "string") return read;
    // Without an id or a fiscal id that agrees, the number of a company may be that of a stranger.
    const isMeant = company === undefined ? isKnown || row.input[COMPANY_TAX_ID] != null : company === companyId;
    return isMeant ? read : withoutId(read, COMPANY_ID, String(companyId), others);
  });
}

function withoutId(row: ImportRow, field: string, text: string, input: ImportRow["input"]): ImportRow {
  const note: RowNote = { field, text, why: "unknownId" };
  return { ...row, id: field === "id" ? null : row.id, input, notes: [...(row.notes ?? []), note] };
}

/** The companies of the rows' fiscal ids alone. */
async function companiesByTaxId(run: Run, rows: readonly ImportRow[]): Promise<Map<ImportRow, string>> {
  const parents = rows.map((row) => {
    const { [COMPANY_ID]: _id, [COMPANY_NAME]: _name, ...input } = row.input;
    return { row, parent: parentOf(input, true) };
  });
  const companies = await findParents(run, parents, true);
  return new Map(
    parents.flatMap(({ row, parent }) => {
      const { id } = companyNamed(companies, parent);
      return id === null ? [] : [[row, id] as const];
    }),
  );
}

/** The names of a record by table: all fields of one of the lists are the same in two forms of it. */
const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  companies: [["tax_id"], ["registration_number"], ["name"], ["email"], ["website"]],
  contacts: [["email"], ["first_name", "last_name"]],
  addresses: [["label", "address", "city"]],
};
const OTHER_NAMES = [["number"], ["title"]];

function namesOf({ bulk }: Target): readonly (readonly string[])[] {
  return NAMES[bulk.table] ?? OTHER_NAMES;
}

type Columns = Readonly<Record<string, string | null>>;

/** The names and companies of the stored rows with the rows' ids, which are locked. */
async function storedNames(run: Run, target: Target, rows: readonly ImportRow[]): Promise<Map<string, Columns>> {
  const { bulk, kind } = target;
  const ids = new Set(rows.flatMap(({ id }) => (id !== null && isId(id) ? [id] : [])));
  if (bulk.byId === undefined || ids.size === 0) return new Map();
  const known = (await bulk.byId(run, [...ids])).map(({ id }) => String(id));
  if (known.length === 0) return new Map();
  const fields = bulk.fields.map(({ name }) => name).filter((name) => namesOf(target).flat().includes(name));
  const columns = kind.ofCompany ? [COMPANY_ID, ...fields] : fields;
  const stored = await bulk.stored(columns)(run, [...new Set(known)]);
  return new Map([...stored].map(([id, row]) => [id, row.columns]));
}

/** Whether a row may be the stored one by its names: those of one list are the same. */
function isNamedAlike(target: Target, { input }: ImportRow, columns: Columns): boolean {
  const textOf = (value: unknown) => (typeof value === "string" ? folded(trim(value)) : "");
  const lists = namesOf(target).filter((names) => names.some((name) => textOf(columns[name]) !== ""));
  const isSame = (names: readonly string[]) => names.every((name) => textOf(input[name]) === textOf(columns[name]));
  return lists.length === 0 || lists.some(isSame);
}
