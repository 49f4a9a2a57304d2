import { now } from "../../platform/clock.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { mailing } from "../mail/mailing.ts";
import { pageErrors } from "../web/forms/page-errors.ts";
import { wholeNumber, type InLanguages, type Language } from "../web/language.ts";
import type { Downloaded, PageRequest } from "../web/page.ts";
import { XLSX } from "../web/workbook-href.ts";
import { cellText, type Cell } from "./cells.ts";
import { toSpreadsheet } from "./csv-text.ts";
import { exportNote } from "./export-note-queries.ts";
import { WORKBOOK, workbookOf } from "./workbook.ts";

/** An export with more rows than these is in the history, and the admins get a mail. */
const MOST_UNREPORTED = 1_000;

/** The most rows of a report's file. They are read by one statement, so they are of one moment, and in memory. */
const MOST_REPORTED = 20_000;
/** Rows that are written at once. */
const WRITTEN = 500;

/** A report as a file, for a person who may export. Throws mayNotExport. @param read at most as many rows */
export function exportTable<Read>(
  deps: Deps,
  request: PageRequest,
  { file, head, read, cells }: { file: string; head: string[]; read: Reads<Read>; cells: (row: Read) => Cell[] },
): Downloaded {
  const { language } = request;
  return fileOf(deps, request, file, async function* (onRows) {
    yield [head];
    const rows = await read(MOST_REPORTED + 1);
    const isCut = rows.length > MOST_REPORTED;
    for (let at = 0; at < Math.min(rows.length, MOST_REPORTED); at += WRITTEN) {
      const some = rows.slice(at, Math.min(at + WRITTEN, MOST_REPORTED));
      yield some.map(cells);
      onRows(some.length);
    }
    if (isCut) yield [[cutWords[language](wholeNumber(language, MOST_REPORTED))]];
  });
}

type Reads<Read> = (most: number) => Promise<readonly Read[]>;

const cutWords: InLanguages<(most: string) => string> = {
  en: (most) => `The file has the first ${most} rows only: please filter the report.`,
  ro: (most) => `Fișierul are doar primele ${most} de rânduri: vă rugăm să filtrați raportul.`,
};

/** A file whose rows are read and written in batches, likewise. */
export function exportBatches(
  deps: Deps,
  request: PageRequest,
  { file, head, batches }: { file: string; head: string[]; batches: () => AsyncIterable<Cell[][]> },
): Downloaded {
  return fileOf(deps, request, file, async function* (onRows) {
    yield [head];
    for await (const rows of batches()) {
      if (rows.length > 0) yield rows;
      onRows(rows.length);
    }
  });
}

/**
 * A file for a person who may export: CSV, or a workbook with `format=xlsx`. Throws mayNotExport. The rows that left
 * count, even if the download stops.
 */
export function fileOf(
  deps: Deps,
  request: PageRequest,
  name: string,
  read: (onRows: (count: number) => void) => AsyncIterable<Cell[][]>,
): Downloaded {
  const { actor, language, query, session } = request;
  if (!session.user.mayExport) throw pageErrors.mayNotExport();
  const isWorkbook = query.get("format") === XLSX;
  const file = `${name}.${isWorkbook ? XLSX : "csv"}`;
  async function* body(): AsyncGenerator<string | Buffer> {
    let rows = 0;
    const batches = read((count) => (rows += count));
    try {
      yield* isWorkbook ? workbookOf(name, batches, language) : csvOf(batches, language);
    } finally {
      if (rows > MOST_UNREPORTED) await note(deps, actor, { file, rows, by: session.user.name });
    }
  }
  return { file, contentType: isWorkbook ? WORKBOOK : "text/csv; charset=utf-8", body: body() };
}

async function* csvOf(batches: AsyncIterable<Cell[][]>, language: Language): AsyncGenerator<string> {
  yield "\ufeff";
  for await (const rows of batches) {
    yield toSpreadsheet(
      rows.map((cells) => cells.map((cell) => cellText(cell, language))),
      language,
    );
  }
}

type Exported = { file: string; rows: number; by: string };

async function note(deps: Deps, actor: Actor, { file, rows, by }: Exported): Promise<void> {
  const details = { at: now(), file, rows, by: { name: by } };
  await deps.database.write(actor.tenant, [
    exportNote(file, rows, changedBy(actor)),
    ...mailing(deps, actor.tenant, "admins", { kind: "exported", details }),
  ]);
}
