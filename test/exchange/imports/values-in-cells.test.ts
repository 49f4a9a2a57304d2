import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rejection } from "../../../src/exchange/imports/kind.ts";
import { kindOf } from "../../../src/exchange/imports/kinds.ts";
import { guessDelimiter, guessingEncoding } from "../../../src/exchange/imports/reading/guess-reading.ts";
import { parseHeader } from "../../../src/exchange/imports/reading/header.ts";
import { readRows } from "../../../src/exchange/imports/reading/read-rows.ts";
import {
  AS_DOCUMENTED,
  delimiters,
  encodings,
  type Delimiter,
  type Encoding,
  type Reading,
} from "../../../src/exchange/imports/reading/reading.ts";
import { transcode } from "../../../src/exchange/imports/reading/transcode.ts";
import { FilePieces } from "../../../src/exchange/imports/reading/workbook/file-pieces.ts";
import { writeSheet } from "../../../src/exchange/imports/reading/workbook/sheet-rows.ts";
import { openWorkbook } from "../../../src/exchange/imports/reading/workbook/workbook.ts";
import { wellFormed } from "../../../src/exchange/imports/writing/batches.ts";
import { fc } from "../../properties.ts";
import { workbook, type Cell } from "./workbooks.ts";

const rest = async () => {};

/** A value as a person sees it, which is what a spreadsheet writes to CSV, and its cell. */
type Seen = { text: string; cell: Cell };

type Read = { rows: Record<string, unknown>[]; refused: Rejection[] };

/** The rows of a file as the writer receives them, and the refused ones. */
async function readFile(bytes: Buffer[], reading: Partial<Reading>, of = "invoices"): Promise<Read> {
  const kind = kindOf(of);
  const refused: Rejection[] = [];
  const rows: Record<string, unknown>[] = [];
  const whole: Reading = { ...AS_DOCUMENTED, clearsEmpty: false, language: "ro", ...reading };
  const chunks = (async function* () {
    yield* bytes;
  })();
  const all = (await Array.fromAsync(readRows(chunks, rest, whole))).flat();
  const header = parseHeader(kind, all.shift(), whole);
  for (const { input } of wellFormed({ header, kind, pass: null }, all, refused)) rows.push(input);
  return { rows, refused };
}

async function readSheet(rows: Cell[][], of = "invoices"): Promise<Read> {
  const opened = await openWorkbook(new FilePieces([workbook([{ name: "A", rows }])]), rest);
  const pieces: Buffer[] = [];
  const choice = { sheet: 0, leavesHidden: false };
  const facts = await writeSheet(opened, choice, rest, async (piece) => {
    pieces.push(piece);
  });
  return await readFile(pieces, { workbook: { sheets: [], ...choice, ...facts } }, of);
}

/** A text in an encoding; null if it does not have all letters. */
async function encoded(text: string, encoding: Encoding): Promise<Buffer | null> {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const table = await tableOf(encoding);
  const bytes = Array.from(text, (letter) => table.get(letter));
  return bytes.includes(undefined) ? null : Buffer.from(bytes as number[]);
}

const tables = new Map<Encoding, Map<string, number>>();

async function tableOf(encoding: Encoding): Promise<Map<string, number>> {
  const found = tables.get(encoding);
  if (found !== undefined) return found;
  const table = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    const one = (async function* () {
      yield Buffer.from([byte]);
    })();
    table.set(Buffer.concat(await Array.fromAsync(transcode(one, encoding))).toString(), byte);
  }
  tables.set(encoding, table);
  return table;
}

/** As spreadsheets write CSV: quotes only where they are needed. */
function csvOf(rows: string[][], delimiter: Delimiter, end: string): string {
  const quoted = (cell: string) =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return rows.map((row) => row.map(quoted).join(delimiter) + end).join("");
}

const text = (value: string): Seen => ({ text: value, cell: value });
const word = fc
  .array(fc.constantFrom("a", "Ș", "î", "é", "2", " ", '"', ",", ";", "|", "\t", "'", "=", "-", "#", "\n", "E+", "."), {
    maxLength: 8,
  })
  .map((letters) => text(`x${letters.join("")}`));
const nothing = fc
  .constantFrom(
    ..."- -- . NULL null None none n/a N/A n.a. NaN (blank) undefined \\N #N/A #REF! #DIV/0!".split(" "),
    "",
    "nu are",
    "fără",
    "nu e cazul",
  )
  .map((value): Seen => (value.startsWith("#") ? { text: value, cell: { error: value } } : text(value)));
const guarded = fc
  .constantFrom('="0722"', '=""0722""', "'+40722", "'0042", "'=1+1", "'-x", "'@x", "'x", '="a;b"')
  .map(text);
const ditto = fc.constantFrom("idem", "Idem", "la fel", '"', "-//-", '- " -', "ditto", "x idem").map(text);
const garbled = fc
  .constantFrom("BraÈ™ov", "BRÄ‚ILA", "Bra&#537;ov", "A &amp; B", "a<br>b", "Bra\ufffdov", "PÂINE BUNĂ®", "ĂŽnalt")
  .map(text);
const shortened = fc.constantFrom("4,07221E+10", "4.0E+5", "1E+10", "1.85473E10").map(text);
const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ".");
const cents = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((value) => {
  const digits = String(Math.abs(value)).padStart(3, "0");
  const shown = `${value < 0 ? "-" : ""}${grouped(digits.slice(0, -2))},${digits.slice(-2)}`;
  return { value: value / 100, shown };
});
const amount = fc
  .tuple(
    cents,
    fc.constantFrom(["", ""], [" lei", '\\ "lei"'], [" €", "\\ [$€-2]"], [" USD", "\\ [$USD]"], [" $", "\\ [$$-409]"]),
  )
  .map(([{ value, shown }, [suffix, format]]): Seen => ({
    text: shown + suffix,
    cell: { format: `#,##0.00${format}`, value },
  }));
const money = fc.oneof(
  amount,
  nothing,
  ditto,
  fc.constantFrom("5 kr", "1,234", "12 buc", "5 dolari", "7 euro/buc", "1 RON/EUR", "3 lire", "19%").map(text),
);
/** A percentage, which a workbook has as a part of one. */
const percentage = fc.integer({ min: 0, max: 100 }).map((value): Seen => {
  return { text: `${value}%`, cell: { format: "0%", value: value / 100 } };
});
const digits = fc
  .tuple(
    fc.integer({ min: 1, max: 999_999_999 }),
    fc.constantFrom<[string, (digits: string) => string]>(
      ['"RO"0', (all) => `RO${all}`],
      ["0000000000", (all) => all.padStart(10, "0")],
      ["0000\\ 000\\ 000", (all) => all.padStart(10, "0").replace(/^(\d+)(\d{3})(\d{3})$/, "$1 $2 $3")],
      ['"F-"000000;@', (all) => `F-${all.padStart(6, "0")}`],
      ["General", (all) => all],
    ),
  )
  .map(([value, [format, show]]): Seen => ({ text: show(String(value)), cell: { format, value } }));
const day = fc
  .integer({ min: 20_000, max: 60_000 })
  .map((serial) => new Date((serial - 25_569) * 86_400_000).toISOString().slice(0, 10))
  .map((iso): Seen => ({ text: iso.split("-").toReversed().join("."), cell: { day: iso } }));
const currency = fc.oneof(
  fc.constantFrom("RON", "lei", "EUR", "", "dolari", "lire", "euro/buc", "RON/EUR", "usd").map(text),
  nothing,
  ditto,
);
const number = fc.oneof(digits, word, guarded, shortened, nothing, ditto, garbled);
const series = fc.oneof(fc.constantFrom("A", "F-", "").map(text), digits, nothing, ditto);
const taxId = fc.oneof(digits, guarded, shortened, nothing, ditto);
const due = fc.oneof(day, nothing, ditto, fc.constantFrom("31/12/30", "31.12.45", "31 dec 29").map(text));

/** The columns of each kind's file, and their values. The last column may be missing. */
const FILES: Readonly<Record<string, readonly (readonly [name: string, values: fc.Arbitrary<Seen>])[]>> = {
  invoices: [
    ["number", number],
    ["company_tax_id", taxId],
    ["issued_on", fc.oneof(day, nothing)],
    ["due_on", due],
    ["series", series],
    ["total", money],
    ["currency", currency],
  ],
  invoice_lines: [
    ["invoice_number", number],
    ["company_tax_id", taxId],
    ["position", fc.integer({ min: 1, max: 99 }).map((value): Seen => ({ text: String(value), cell: value }))],
    ["name", fc.oneof(word, garbled, ditto)],
    ["unit_price", money],
    ["quantity", fc.constant(text("1"))],
    ["vat_rate", fc.oneof(percentage, fc.constantFrom("19", "19 %", "scutit").map(text), ditto, nothing)],
  ],
};
const anyFile = fc.constantFrom(...Object.keys(FILES)).chain((of) =>
  fc.record({
    of: fc.constant(of),
    rows: fc.array(fc.tuple(...(FILES[of] ?? []).map(([, values]) => values)), { minLength: 1, maxLength: 5 }),
    delimiter: fc.constantFrom(...delimiters),
    encoding: fc.constantFrom(...encodings),
    end: fc.constantFrom("\r\n", "\n", "\r"),
    isWhole: fc.boolean(),
    /** Where the names of the columns come again. */
    again: fc.integer({ min: 0, max: 9 }),
  }),
);

/** An amount of a sheet is 5, and of CSV 5.00. */
function comparable({ rows, refused }: Read) {
  const amounts = rows.map((input) => ({
    ...input,
    ...Object.fromEntries(
      ["total", "unit_price", "vat_rate"].flatMap((name) =>
        /^-?[\d.]+$/.test(String(input[name])) ? [[name, Number(input[name])]] : [],
      ),
    ),
  }));
  return { rows: amounts, refused: refused.map(({ line: _line, cells: _cells, ...why }) => why) };
}

type FileOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Of> ? Of : never;

test("a value that a person sees is the same value or refusal, saved as a workbook or as any text", async () => {
  let [compared, refusals] = [0, 0];
  const holds = async ({ of, rows, delimiter, encoding, end, isWhole, again }: FileOf<typeof anyFile>) => {
    const all = (FILES[of] ?? []).map(([name]) => name);
    const width = all.length - (isWhole ? 0 : 1);
    const names = all.slice(0, width);
    const seen: Seen[][] = rows.map((cells) => cells.slice(0, width));
    if (again > 0 && again <= seen.length) seen.splice(again, 0, names.map(text));
    const csv = csvOf([names, ...seen.map((cells) => cells.map((cell) => cell.text))], delimiter, end);
    const bytes = await encoded(csv, encoding);
    if (bytes === null) return;
    const ofText = comparable(await readFile([bytes], { delimiter, encoding }, of));
    const ofSheet = comparable(await readSheet([names, ...seen.map((cells) => cells.map(({ cell }) => cell))], of));
    assert.deepEqual(ofText, ofSheet);
    compared++;
    refusals += ofSheet.refused.length;
  };
  await fc.assert(fc.asyncProperty(anyFile, holds), { numRuns: 600 });
  assert.ok(compared > 100 && refusals > 20, `${compared} files were compared, and ${refusals} rows refused`);
});

test("what a cell means does not depend on its column's neighbours", async () => {
  const cases: [cell: Cell, field: "number" | "company_tax_id" | "total", meant: unknown][] = [
    ['="0722000111"', "number", "0722000111"],
    ['=""0722""', "number", "0722"],
    ["'+40722000111", "number", "+40722000111"],
    ["'s-Hertogenbosch", "number", "'s-Hertogenbosch"],
    [{ format: '"RO"0', value: 18_547_290 }, "company_tax_id", "RO18547290"],
    [{ format: "0000\\ 000\\ 000", value: 722_000_111 }, "number", "0722 000 111"],
    [{ format: '[<=9999999]000\\ 0000;"0"000\\ 000\\ 000', value: 722_000_111 }, "number", "0722 000 111"],
    [{ format: "[$-418]0000000000", value: 722_000_111 }, "number", "0722000111"],
    [{ format: "0000000000;-0000000000", value: 722_000_111 }, "number", "0722000111"],
    [{ format: "General;[Red]-General", value: -5 }, "number", "-5"],
    [{ format: "General;[Red]-General", value: 5 }, "number", "5"],
    [{ format: '"RO "#,##0', value: 1_590_082 }, "company_tax_id", "RO 1590082"],
    [{ format: '"RO"@', value: 18_547_290 }, "company_tax_id", "RO18547290"],
    [{ format: '"RO"@', value: "18547290" }, "company_tax_id", "RO18547290"],
    [{ format: '0;-0;0;"RO"@', value: "18547290" }, "company_tax_id", "RO18547290"],
    [{ format: "_-@_-", value: "18547290" }, "company_tax_id", "18547290"],
    [{ format: '"RO"General', value: 18_547_290 }, "company_tax_id", "RO18547290"],
    [{ format: '"RO"??????????', value: 18_547_290 }, "company_tax_id", "RO18547290"],
    [{ format: "0.00", value: 1.234 }, "number", "1,234"],
    [{ format: '0" buc"', value: 7 }, "total", "7"],
    [{ error: "#DIV/0!" }, "number", undefined],
    ["fără", "company_tax_id", undefined],
    [{ format: "[$€-2] #,##0.00", value: 1_234.5 }, "total", "1234.5"],
    ["(1.234,50)", "total", "-1234.50"],
    ["7 euro/buc", "total", "7"],
    ["BraÈ™ov", "number", "Brașov"],
    ["BRAČ\u0098OV", "number", "BRAȘOV"],
    ["TÃ¢rgu MureÈ™", "number", "Târgu Mureș"],
    ["KÅ‘rÃ¶si &amp; fiii<br>", "number", "Kőrösi & fiii"],
    ["PÂINE BUNĂ®", "number", "PÂINE BUNĂ®"],
    ["„PÂINE BUNĂ”", "number", "„PÂINE BUNĂ”"],
    ["Ion <ion@x.example>", "number", "Ion <ion@x.example>"],
  ];
  for (const [cell, field, meant] of cases) {
    const names = ["number", "company_tax_id", "total"];
    const { rows } = await readSheet([names, names.map((name) => (name === field ? cell : "1"))]);
    assert.equal(rows[0]?.[field], meant, JSON.stringify(cell));
  }
});

test("the currency of an amount is the row's, and two currencies refuse it with both", async () => {
  const euros: Cell = { format: "#,##0.00\\ [$€-2]", value: 5 };
  const { rows, refused } = await readSheet([
    ["number", "total", "currency"],
    ["F1", euros, null],
    ["F2", "5 lei", "ron"],
    ["F3", euros, "RON"],
    ["F4", "$ 99", "Lei"],
  ]);
  assert.deepEqual(
    rows.map(({ number, total, currency: one }) => [number, Number(total), one]),
    [
      ["F1", 5, "EUR"],
      ["F2", 5, "RON"],
    ],
  );
  assert.deepEqual(
    refused.map(({ line, row: why }) => [line, why]),
    [
      [4, { code: "currencies", amount: "EUR", column: "RON" }],
      [5, { code: "currencies", amount: "USD", column: "RON" }],
    ],
  );
});

test("a line in the place of hundredths means none, whatever the mark between thousands and the currency", async () => {
  const read: [text: string, total: unknown, currency: unknown][] = [
    ["1.234,- €", "1234", "EUR"],
    ["1.234,-", "1234", undefined],
    ["1,234.-", "1234", undefined],
    ["CHF 1'234.-", "1234", "CHF"],
    ["-12,-- lei", "-12", "RON"],
    ["€ 5.–", "5", "EUR"],
    ["1200,- EUR", "1200", "EUR"],
    // No thousands.
    ["1.23,- €", "1.23,- €", undefined],
    ["1.234,5- €", "-1234.5", "EUR"],
  ];
  const { rows } = await readSheet([["number", "total"], ...read.map(([text], index) => [`F${index}`, text])]);
  assert.deepEqual(
    rows.map(({ total, currency }) => [total, currency]),
    read.map(([, total, currency]) => [total, currency]),
  );
});

const guess = async (bytes: Buffer) => {
  const guessing = guessingEncoding();
  for (let at = 0; at < bytes.length; at += 7) guessing.look(bytes.subarray(at, at + 7));
  const encoding = guessing.encoding();
  const chunks = (async function* () {
    yield bytes;
  })();
  return [encoding, await guessDelimiter(chunks, encoding, rest)];
};

test("the encoding and the delimiter are those of most bytes and of the header", async () => {
  const csv = "Denumire;CUI;Adresă\r\nȚară SRL;RO1;Str. Lungă, nr. 1, bl. 2, sc. A\r\n";
  const wide = Buffer.from(csv.repeat(5), "utf16le");
  const cut = Buffer.concat([Buffer.from(csv), Buffer.from("Brașov \xc8;RO2;x\r\n", "latin1")]);
  const old = Buffer.from("Denumire;CUI\r\n\xdea\xe3r\xe3neasc\xe3 \xaa;RO1\r\n", "latin1");
  for (const [bytes, expected] of [
    [Buffer.from(csv), ["utf-8", ";"]],
    [cut, ["utf-8", ";"]],
    [wide.swap16(), ["utf-16be", ";"]],
    [old, ["windows-1250", ";"]],
    [Buffer.from("Nume|CUI\nA, B|RO1\n"), ["utf-8", "|"]],
    [Buffer.from('"Name,Tax ID"\n"A;B,RO1"\n'), ["utf-8", ","]],
    [Buffer.from("sep=|\nName,x|Tax ID\nA|1\n"), ["utf-8", "|"]],
    [Buffer.from('Lista, pe 2026\n\nNume;CUI;Note\nA;1;"unu, doi\ntrei, patru, cinci"\nB;2;x\n'), ["utf-8", ";"]],
  ] as const) {
    assert.deepEqual(await guess(Buffer.from(bytes)), expected, bytes.toString());
  }
});

const TEXTS = [
  ["ro", "Denumire;Oraș\nŞTIINŢĂ ÎN TOATE SRL;Iaşi\nPâine şi Ţesături;Târgu Mureş\n„Brăila”;Argeş\n"],
  ["ro", "nume\nBănică\n"],
  ["hu", "Név;Város\nKőrösi Fűtő Kft;Győr\nTörök és Társa;Székelyudvarhely\n"],
  ["pl", "Nazwa;Miasto\nŁódź Żagle;Gdańsk\nŚwięty Krzyż;Rzeszów\n"],
  ["cs", "Název;Město\nČeský dům;Plzeň\nŘízení Žďár;Třebíč\n"],
  ["de", "Name;Ort\nMüller Straße;Köln\nBäckerei Größe;Österreich\n"],
  ["fr", "Nom;Ville\nCrème à la carte;Orléans\nBibliothèque Générale;Besançon\n"],
  ["es", "Nombre;Ciudad\nMuñoz Peña;Coruña\nConstrucción Año;Málaga\n"],
  ["it", "Nome;Città\nCaffè Perù;Forlì\n"],
] as const;

test("the letters of each language tell the encoding, so that none is garbled", async () => {
  let read = 0;
  for (const [language, text] of TEXTS) {
    for (const encoding of encodings) {
      // The only encoding of Hungarian that is taken for another one: hardly any program writes it.
      if (language === "hu" && encoding === "iso-8859-16") continue;
      const plain = encoding === "x-mac-romanian" || encoding === "iso-8859-16" ? withCommas(text) : withCedillas(text);
      const bytes = await encoded(plain, encoding);
      if (bytes === null || encoding.startsWith("utf")) continue;
      const [guessed] = await guess(bytes);
      const one = (async function* () {
        yield bytes;
      })();
      const decoded = Buffer.concat(await Array.fromAsync(transcode(one, guessed as Encoding))).toString();
      assert.equal(withCommas(decoded), withCommas(text), `${language} in ${encoding}, read as ${guessed}`);
      read++;
    }
  }
  assert.ok(read >= 40, String(read));
});

const pairs = ["şș", "ţț", "ŞȘ", "ŢȚ"];
const withCommas = (text: string) => pairs.reduce((all, [from = "", to = ""]) => all.replaceAll(from, to), text);
const withCedillas = (text: string) => pairs.reduce((all, [to = "", from = ""]) => all.replaceAll(from, to), text);

test("rows of every shape that fit their header are read, and others are refused alone", async () => {
  const csv = [
    "number;company_tax_id;total",
    'SC "ALFA" SRL;RO1;1',
    '"SC \\"BETA\\" SRL";RO2;1',
    'GAMA 2" SRL;RO3;1',
    '"SC "DELTA" SRL";RO4;1',
    ' "Spațiu; SRL" ; RO5 ;1',
    "Scurt;RO6",
    "Lung;RO7;1;;;",
    "Plin;RO8;1;x",
    '"Desfăcut;RO9',
    "rest de rând",
    "Întreg;RO10;1",
  ].join("\r\n");
  const { rows, refused } = await readFile([Buffer.from(csv)], { delimiter: ";" });
  assert.deepEqual(
    rows.map(({ number, company_tax_id: id }) => [number, id]),
    [
      ['SC "ALFA" SRL', "RO1"],
      ['SC "BETA" SRL', "RO2"],
      ['GAMA 2" SRL', "RO3"],
      ['SC "DELTA" SRL', "RO4"],
      ["Spațiu; SRL", "RO5"],
      ["Scurt", "RO6"],
      ["Lung", "RO7"],
      ["Întreg", "RO10"],
    ],
  );
  const short = ["number;company_tax_id;total", "A;RO1", '"B;RO2', "C;RO3", "D;RO4"].join("\n");
  assert.equal((await readFile([Buffer.from(short)], { delimiter: ";" })).rows.length, 3);
  assert.deepEqual(
    refused.map(({ line, row: why }) => [line, why?.code]),
    [
      [9, "cellsMissing"],
      [10, "badQuotes"],
      [11, "cellsMissing"],
    ],
  );
});
