import type { Language } from "../../../kit/web/language.ts";
import { shortened, trim } from "../../../platform/text.ts";
import { isNoFiscalId, meantBy, meantIn } from "../cells/meaning.ts";
import { orderOf, readDayOfColumn, type DayOrder } from "../columns/days.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import type { CsvHeader } from "../reading/header.ts";
import { guessingField, type GuessedField } from "./guess-field.ts";

/**
 * The findings about a column: its empty cells, those with a text for no value, such as `-`, and the cell that decides
 * the order of day and month of its days.
 */
export type ColumnFinding = {
  field: string;
  empty: number;
  nothing?: { cells: number; first: string };
  order?: { order: DayOrder; proof: string; example: string; day: string };
};

/** A column without a field, its place, its cells that have a text, and the field that these would make. */
export type LeftOut = { name: string; index: number; cells: number; field: GuessedField | null };

type Days = { proofs: Map<DayOrder | "dotted", string>; example: string | null };

const SAID = 40;

/** Columns without a field that are named. */
const MOST_LEFT_OUT = 30;

/** Looks at the cells of a page's file, row by row. @param names of all columns, by position */
export function findingColumns(names: readonly string[], idColumn = "") {
  const empty = new Map<string, number>();
  const nothing = new Map<string, { cells: number; first: string }>();
  const days = findingDays();
  const others = findingOthers(names, idColumn);
  let letters: string | null = null;
  let garbled: string | null = null;
  return {
    look({ columns, language, idIndex, width }: CsvHeader, row: CsvRow): void {
      if (language === null || !("cells" in row)) return;
      const { cells } = row;
      letters ??= cells.find((cell) => NOT_ASCII.test(cell)) ?? null;
      garbled ??= cells.find((cell) => GARBLED.test(cell)) ?? null;
      const known = columns.length + (idIndex === null ? 0 : 1);
      if (known < width) others.look(cells, new Set([...columns.map(({ index }) => index), idIndex ?? -1]), language);
      for (const { index, name, kind, words } of columns) {
        if (index < 0) continue;
        const text = trim(cells[index] ?? "");
        if (text === "") empty.set(name, (empty.get(name) ?? 0) + 1);
        else if (isNothing(name, meantIn(words, text)))
          nothing.getOrInsertComputed(name, () => ({ cells: 0, first: shortened(text, SAID) })).cells++;
        else if (kind === "date") days.look(name, text);
      }
    },
    /** A cell with other letters than ASCII, by which a person sees whether the encoding is right. */
    letters: () => garbled ?? letters ?? names.find((name) => NOT_ASCII.test(name)) ?? null,
    leftOut: others.list,
    orders: () => days.orders(),
    found: (fields: readonly string[]): ColumnFinding[] =>
      fields.map((field) => {
        const [order, none] = [days.proven(field), nothing.get(field)];
        return {
          field,
          empty: empty.get(field) ?? 0,
          ...(none !== undefined && { nothing: none }),
          ...(order !== null && { order }),
        };
      }),
  };
}

function isNothing(field: string, meant: string | null): boolean {
  return meant !== null && (meant === "" || isNoFiscalId(field, meant));
}

/** Finds the order of the days of each field. */
function findingDays() {
  const days = new Map<string, Days>();
  return {
    look(field: string, text: string): void {
      const found = days.getOrInsertComputed(field, () => ({ proofs: new Map(), example: null }));
      const proof = orderOf(text);
      if (proof !== null && !found.proofs.has(proof)) found.proofs.set(proof, shortened(text, SAID));
      if (proof !== "mdy" && proof !== "dmy" && found.example === null && isAmbiguous(text))
        found.example = shortened(text, SAID);
    },

    /** The order of each field of days. One value that can be read in one order decides; both orders decide nothing. */
    orders(): Record<string, DayOrder> {
      return Object.fromEntries(
        [...days].flatMap(([field, found]) => {
          const order = orderIn(found);
          return order === null ? [] : [[field, order] as const];
        }),
      );
    },

    /** The order of a field, with the cell that proves it and another one that is read by it. */
    proven(field: string): Required<ColumnFinding>["order"] | null {
      const { proofs, example = null } = days.get(field) ?? {};
      const order = proofs === undefined ? null : orderIn({ proofs });
      if (order === null || example === null) return null;
      const read = readDayOfColumn(example, order);
      const proof = proofs?.get(order) ?? proofs?.get("dotted");
      return read !== null && "day" in read && proof !== undefined ? { order, proof, example, day: read.day } : null;
    },
  };
}

/** Finds the columns without a field that have texts. */
function findingOthers(names: readonly string[], idColumn: string) {
  const others = new Map<number, { cells: number; field: ReturnType<typeof guessingField> | null }>();
  return {
    look(cells: readonly string[], known: ReadonlySet<number>, language: Language): void {
      for (const [index, cell] of cells.entries()) {
        if (cell === "" || known.has(index)) continue;
        const text = meantBy(cell) ?? "";
        if (text === "") continue;
        const found = others.getOrInsertComputed(index, () => ({
          cells: 0,
          field: others.size < MOST_LEFT_OUT ? guessingField(language) : null,
        }));
        found.cells++;
        found.field?.look(text);
      }
    },

    list: (): LeftOut[] =>
      [...others]
        .filter(([index]) => names[index] !== idColumn)
        .toSorted(([a], [b]) => a - b)
        .slice(0, MOST_LEFT_OUT)
        .map(([index, { cells, field }]) => {
          return { name: shortened(names[index] ?? "", SAID), index, cells, field: field?.found() ?? null };
        }),
  };
}

/** UTF-8 that was read in another encoding, and saved as UTF-8 again. */
export const GARBLED = /[\u0080-\u0084\u0086-\u009f]|[ÃÈÄÅ][\u00a0-\u00bf™šƒŸŢŽ]/;
const NOT_ASCII = /[^\0-\x7f]/;

function orderIn({ proofs }: Pick<Days, "proofs">): DayOrder | null {
  if (proofs.has("mdy") && proofs.has("dmy")) return null;
  if (proofs.has("mdy")) return "mdy";
  return proofs.size > 0 ? "dmy" : null;
}

function isAmbiguous(text: string): boolean {
  const read = readDayOfColumn(text, null);
  return read !== null && "readings" in read;
}
