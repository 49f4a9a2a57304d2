import { anchorOf, type Block } from "./blocks.ts";

/** The address that a link of a document has in the reference; null: what it leads to is not published. */
export type Relink = (href: string) => string | null;

const LINK_OR_CODE = /`[^`]*`|\[((?:[^\]`]|`[^`]*`)+)\]\(([^()\s]+)\)/g;
const ITEM = /^(?<marker>-|\d+\.) +/;

/** The Markdown of this repository's documents as blocks: the constructs that these documents use. */
export function parseMarkdown(text: string, link: Relink): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "") at++;
    else {
      const { block, next } = blockAt(lines, at, link);
      blocks.push(block);
      at = next;
    }
  }
  return withLanguages(blocks);
}

/** The languages of the samples (samples.ts). Programs in several of them, one after the other, become tabs. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["ts", "TypeScript"],
  ["python", "Python"],
  ["php", "PHP"],
]);

function withLanguages(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const title = block.kind === "code" ? LANGUAGES.get(block.language) : undefined;
    const last = result.at(-1);
    if (title === undefined) result.push(block);
    else if (last?.kind === "tabs") last.tabs.push({ title, blocks: [block] });
    else result.push({ kind: "tabs", name: "Language", tabs: [{ title, blocks: [block] }] });
  }
  // A program in one language needs no choice.
  return result.flatMap((block) =>
    block.kind === "tabs" && block.tabs.length === 1 ? (block.tabs[0]?.blocks ?? []) : block,
  );
}

type Read = { block: Block; next: number };

function blockAt(lines: readonly string[], at: number, link: Relink): Read {
  const line = lines[at] ?? "";
  const [, marks = "", title = ""] = /^(#{1,4}) (.+)$/.exec(line) ?? [];
  if (marks !== "") {
    const level = Math.max(marks.length, 2) as 2 | 3 | 4;
    return { block: { kind: "heading", level, text: relinked(title, link), id: anchorOf(title) }, next: at + 1 };
  }
  if (line.startsWith("```")) return codeAt(lines, at);
  if (line.startsWith("|")) return tableAt(lines, at, link);
  if (ITEM.test(line)) return listAt(lines, at, link);
  let next = at;
  while (next < lines.length && isOfParagraph(lines[next] ?? "", next === at)) next++;
  const text = relinked(lines.slice(at, next).join(" "), link);
  return { block: { kind: "paragraph", text }, next };
}

function isOfParagraph(line: string, isFirst: boolean): boolean {
  return line.trim() !== "" && (isFirst || !/^(?:#{1,4} |```|\|)/.test(line)) && (isFirst || !ITEM.test(line));
}

function codeAt(lines: readonly string[], at: number): Read {
  const end = lines.indexOf("```", at + 1);
  const last = end < 0 ? lines.length : end;
  const language = (lines[at] ?? "").slice("```".length);
  return { block: { kind: "code", language, text: lines.slice(at + 1, last).join("\n") }, next: last + 1 };
}

function tableAt(lines: readonly string[], at: number, link: Relink): Read {
  let next = at;
  while (lines[next]?.startsWith("|") === true) next++;
  const [head = [], , ...rows] = lines.slice(at, next).map((line) => cellsOf(line).map((cell) => relinked(cell, link)));
  return { block: { kind: "table", head, rows }, next };
}

function cellsOf(line: string): string[] {
  const cells = line.trim().replaceAll(/^\||\|$/g, "");
  return cells.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function listAt(lines: readonly string[], at: number, link: Relink): Read {
  const items: Block[][] = [];
  let next = at;
  for (;;) {
    const found = ITEM.exec(lines[next] ?? "");
    if (found === null) break;
    const own = [(lines[next] ?? "").slice(found[0].length)];
    next++;
    while (next < lines.length && isInItem(lines, next)) own.push(lines[next++] ?? "");
    items.push(parseMarkdown(own.map((line) => line.replace(/^ {1,3}/, "")).join("\n"), link));
    while (lines[next]?.trim() === "" && ITEM.test(lines[next + 1] ?? "")) next++;
  }
  return { block: { kind: "list", isOrdered: /^\d/.test(lines[at] ?? ""), items }, next };
}

/** An indented line, or an empty one before an indented one. */
function isInItem(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return line.trim() === "" ? /^ +\S/.test(lines[at + 1] ?? "") : line.startsWith(" ");
}

/** A text with the links of the reference; what is not published keeps its words alone. */
function relinked(text: string, link: Relink): string {
  return text.replaceAll(LINK_OR_CODE, (whole, label: string | undefined, href: string) => {
    if (label === undefined) return whole;
    const to = /^https?:/.test(href) ? href : link(href);
    return to === null ? label : `[${label}](${to})`;
  });
}
