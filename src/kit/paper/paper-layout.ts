import type { Content, Layout } from "pdfmake";
import type { Paper, PaperColumn, PaperFact, PaperParty, PaperTable } from "./paper.ts";

// Lengths are points: an A4 page is 595 wide.
const MARGIN = 40;
const WIDTH = 595 - 2 * MARGIN;
const LOGO: [width: number, height: number] = [170, 51];
/** The space between columns, and before a sum. */
const GAP = 24;
const SUM_GAP = 12;
/** The room of page numbers, and of the number of a paper beside them. */
const PAGES = 60;
const MOST_NUMBER = 60;
/** The space at the left and the right of a cell. */
const PADDING = 4;
const INK = "#000000";
const GREY = "#5c6470";
const RULE = "#c9ced6";

/**
 * A paper as pdfmake lays it out. It repeats the heads of tables on each page, brings a font with the letters of
 * Romanian, and needs no browser.
 */
export function layoutOf(paper: Paper): Layout {
  const { title, number, mark, parties, place, table, sums, notes } = paper;
  const name = `${clean(title)} ${clean(number)}`;
  return {
    pageSize: "A4",
    pageMargins: [MARGIN, MARGIN, MARGIN, 56],
    language: paper.language,
    displayTitle: true,
    info: { title: name, author: clean(parties[0]?.name ?? ""), producer: "Liaison", creator: "Liaison" },
    defaultStyle: { font: FONT, fontSize: 9, lineHeight: 1.15 },
    ...(mark === null
      ? {}
      : { watermark: { text: clean(mark), color: "#8a919c", opacity: 0.18, bold: true, angle: -50, fontSize: 120 } }),
    footer: (page, pages) => ({
      margin: [MARGIN, 16],
      fontSize: 8,
      color: GREY,
      columns: [
        { ...text(`${title} ${number}`.slice(0, MOST_NUMBER)), width: WIDTH - PAGES },
        { text: `${page} / ${pages}`, width: PAGES, alignment: "right" },
      ],
    }),
    content: [
      headOf(paper),
      { columns: parties.map(partyOf), columnGap: GAP, margin: [0, 20, 0, 0] },
      place === null ? [] : placeOf(place),
      table === null ? [] : tableOf(table),
      sumsOf(sums),
      { stack: notes.map((note) => noteOf(note)) },
    ],
  };
}

/** The family of the two files of the font. */
export const FONT = "Roboto";

/** Letters and pictures that the font has no shapes for. It also lacks rare letters of its alphabets. */
const SHAPELESS =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|\p{Emoji_Presentation}/gu;

/** A longer word, which nobody writes, is broken: the library takes quadratic time to find its lines. */
const LONG_WORD = /\S{300}(?=\S)/gu;

/**
 * A text without what has no shape on paper: breaks, other control characters, and marks of direction. Letters of other
 * alphabets, which would stand over each other, are question marks in a diamond.
 */
function clean(of: string): string {
  return of
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("\u202F", "\u00A0")
    .replaceAll(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]/gu, "")
    .replaceAll(SHAPELESS, "\uFFFD")
    .replaceAll(LONG_WORD, "$& ");
}

function text(of: string) {
  return { text: clean(of) };
}

function headOf({ title, number, mark, facts, logo }: Paper): Content {
  const words: Content[] = [
    { ...text(title), fontSize: 20, bold: true },
    { ...text(number), fontSize: 12, bold: true },
    mark === null ? [] : { ...text(mark), fontSize: 11, bold: true, color: "#b3261e" },
    facts.map(({ label, value }): Content => ({ text: [{ ...text(label), color: GREY }, ` ${clean(value)}`] })),
  ];
  const picture = logo === null ? { text: "" } : { image: `data:image/png;base64,${logo}`, fit: LOGO };
  const [width] = LOGO;
  const right: Content = { stack: words, alignment: "right", width: WIDTH - width - GAP };
  return { columns: [{ ...picture, width }, right], columnGap: GAP };
}

function partyOf({ role, name, facts }: PaperParty): Content {
  const line = ({ label, value }: PaperFact): Content => ({
    text: [...(label === "" ? [] : [{ text: `${clean(label)} `, color: GREY }]), clean(value)],
  });
  return {
    width: (WIDTH - GAP) / 2,
    stack: [
      { ...text(role), fontSize: 8, color: GREY },
      { ...text(name), fontSize: 11, bold: true },
      ...facts.map(line),
    ],
  };
}

function placeOf({ label, name, rest }: NonNullable<Paper["place"]>): Content {
  return {
    text: [{ ...text(label), color: GREY }, " ", { ...text(name), bold: true }, clean(rest)],
    margin: [0, 14, 0, 0],
  };
}

function tableOf({ columns, rows }: PaperTable): Content {
  const cell = (of: string, { kind }: PaperColumn, more: object = {}): Content => ({
    ...text(of),
    ...(kind === "number" && { alignment: "right" }),
    ...more,
  });
  const head = columns.map((column) => cell(column.label, column, { color: GREY, fontSize: 8 }));
  return {
    margin: [-PADDING, 18, -PADDING, 0],
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: widthsOf(columns, rows),
      body: [head, ...rows.map((row) => columns.map((column, at) => cell(row[at] ?? "", column)))],
    },
    layout: {
      hLineWidth: (at, { table }) => (at === 0 ? 0 : at === 1 || at === table.body.length ? 0.8 : 0.4),
      vLineWidth: () => 0,
      hLineColor: (at, { table }) => (at === 1 || at === table.body.length ? GREY : RULE),
      paddingLeft: () => PADDING,
      paddingRight: () => PADDING,
      paddingTop: () => 3,
      paddingBottom: () => 3,
    },
  };
}

/** The narrowest and the widest column of a kind, and the mean width of its characters. */
const ROOM = { number: { least: 34, most: 104, each: 5.1 }, code: { least: 40, most: 84, each: 5.7 } };

/** The narrowest wide column: a text of 255 characters fits on a page. */
const LEAST_WIDE = 100;

/** The widths of columns, by their longest texts. The library's own would let a long word be wider than the page. */
function widthsOf(columns: PaperTable["columns"], rows: PaperTable["rows"]): number[] {
  const widths = columns.map(({ kind, label }, at) => {
    if (kind === "wide") return null;
    const { least, most, each } = ROOM[kind];
    const longest = rows.reduce((length, row) => Math.max(length, row[at]?.length ?? 0), label.length);
    return Math.min(most, Math.max(least, Math.ceil(longest * each)));
  });
  const used = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const room = WIDTH + 2 * PADDING - columns.length * 2 * PADDING;
  const shrunk = Math.min(1, (room - LEAST_WIDE) / used);
  return widths.map((width) => (width === null ? room - used * shrunk : width * shrunk));
}

function sumsOf(sums: readonly PaperFact[]): Content {
  const longest = Math.max(0, ...sums.map(({ value }) => value.length));
  const width = Math.min(260, Math.max(96, longest * 6.6));
  return {
    unbreakable: true,
    margin: [0, 8, 0, 12],
    stack: sums.map((sum, at) =>
      at < sums.length - 1 ? sumOf(sum, width, 1, GREY) : { ...sumOf(sum, width, 4, INK), ...WHOLE },
    ),
  };
}

/** The looks of the sum that counts. */
const WHOLE = { bold: true, fontSize: 11 };

function sumOf({ label, value }: PaperFact, width: number, above: number, color: string) {
  return {
    columns: [
      { text: clean(label), alignment: "right", width: WIDTH - width - SUM_GAP, color } as const,
      { text: clean(value), alignment: "right", width } as const,
    ],
    columnGap: SUM_GAP,
    margin: [0, above, 0, 0] as [number, number, number, number],
  };
}

function noteOf(note: string): Content {
  return { text: clean(note), margin: [0, 4, 0, 0] };
}
