import { comparable } from "../../platform/text.ts";
import type { Block } from "./blocks.ts";
import type { ReferencePage } from "./reference-pages.ts";

/** A place that the search finds: a page, a section of it, or a field. `within`: the page, and its section if any. */
export type FoundPlace = { title: string; within: string; path: string; text: string };

/** A place, with its words as they are compared. */
type Indexed = FoundPlace & { page: string; titleWords: string; words: string; rank: number };

/** Code points; a longer query finds nothing. */
export const MOST_QUERY = 100;
const MOST_WORDS = 6;
export const MOST_PLACES = 30;
/** Characters of a place's text that a result shows, and of those before the first word of the query. */
const [EXCERPT, BEFORE] = [160, 40];
/** Occurrences of the words in a place's text that count. */
const MOST_COUNTED = 4;

/** Every place of the reference, for the search. */
export function indexOf(pages: readonly ReferencePage[]): Indexed[] {
  return pages.flatMap(placesOf);
}

/** The distinct words of a query, as they are compared. */
export function queryWords(query: string): string[] {
  const words = (comparable(query, MOST_QUERY) ?? "").split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** The best places with all of the words, and how many there are. */
export function search(index: readonly Indexed[], words: readonly string[]): { found: FoundPlace[]; total: number } {
  if (words.length === 0) return { found: [], total: 0 };
  const matches = index.filter((place) => words.every((word) => place.words.includes(word)));
  const sorted = matches
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .toSorted((one, other) => other.score - one.score);
  // Parameters of the same name in one page are one place.
  const distinct = [...Map.groupBy(sorted, ({ place: { title, page } }) => `${page} ${title}`).values()];
  const found = distinct.slice(0, MOST_PLACES).flatMap(([best]) => {
    if (best === undefined) return [];
    const { title, titleWords, within, path, text } = best.place;
    // A word in the title needs no excerpt.
    const left = words.filter((word) => !titleWords.includes(word));
    return [{ title, within, path, text: excerptOf(text, left) }];
  });
  return { found, total: distinct.length };
}

/**
 * Whole titles first, then titles with the words, then texts that have them often. Fields come before parameters, and
 * guides before changes.
 */
function scoreOf({ within, page, titleWords, words, rank }: Indexed, asked: readonly string[]): number {
  const inTitle = asked.filter((word) => titleWords.includes(word)).length;
  const isWhole = titleWords === asked.join(" ") ? 4 : 0;
  const atStart = asked.some((word) => titleWords.startsWith(word)) ? 1 : 0;
  const times = asked.reduce((sum, word) => sum + words.split(word, MOST_COUNTED + 1).length - 1, 0);
  const isOfPage = within === page ? 1 : 0;
  return rank + isOfPage + isWhole + 2 * inTitle + atStart + Math.min(times, MOST_COUNTED) / 2;
}

function excerptOf(text: string, words: readonly string[]): string {
  const folded = comparable(text, text.length) ?? "";
  const first = Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0));
  const start = Number.isFinite(first) && first > EXCERPT - BEFORE ? text.indexOf(" ", first - BEFORE) + 1 : 0;
  const end = text.length <= start + EXCERPT ? text.length : text.lastIndexOf(" ", start + EXCERPT);
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

/**
 * The index that browsers search while somebody types: of each page its title, its address, and the title and the
 * anchor of each place in it.
 */
export function typedIndex(index: readonly Indexed[]): string {
  const pages = Map.groupBy(index, ({ path }) => path.replace(/#.*/, ""));
  const entries = [...pages].map(([path, places]) => {
    const inPage = places.filter((place) => place.path !== path);
    // Parameters of the same name are one entry: that of the first operation.
    const named = [...Map.groupBy(inPage, ({ title }) => title)];
    const anchors = named.flatMap(([title, [first]]) => [title, first?.path.slice(path.length + 1)]);
    return [places[0]?.page, path].concat(anchors);
  });
  return JSON.stringify(entries);
}

/** The weight of a group's places among others with the same words. */
const RANKS: Partial<Record<string, number>> = { Guides: 2, API: 1, Error: 1, Changes: -2 };

function placesOf({ path, title: page, group, blocks }: ReferencePage): Indexed[] {
  const rank = RANKS[String(group)] ?? 0;
  const places: FoundPlace[] = [{ title: page, within: page, path, text: "" }];
  let section = page;
  const add = (block: Block): void => {
    if (block.kind === "heading") {
      const title = plain(block.text);
      places.push({ title, within: page, path: `${path}#${block.id}`, text: "" });
      if (block.level === 2) section = block.id === "fields" ? page : `${page}, ${title}`;
    } else if (block.kind === "fields") {
      for (const { name, id, description } of block.rows) {
        places.push({ title: name, within: section, path: `${path}#${id}`, text: plain(description) });
      }
    } else if (block.kind === "beside") for (const inner of block.words) add(inner);
    else {
      const last = places.at(-1);
      if (last !== undefined) last.text = `${last.text} ${textOf(block)}`.trim();
    }
  };
  for (const block of blocks()) add(block);
  // "Errors" and the like stand under every operation, "Operations" under every error: they say nothing by themselves.
  const own = places.filter((place) => !/-(?:parameters|body|answer|errors)$|#operations$/.test(place.path));
  return own.map((place) => {
    const words = `${place.title} ${place.within} ${place.text}`;
    return Object.assign(place, { page, rank, titleWords: fold(place.title), words: fold(words) });
  });
}

function fold(text: string): string {
  return comparable(text, text.length) ?? "";
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return plain(block.text);
    case "list":
      return block.items.flat().map(textOf).join(" ");
    case "table":
      return plain([block.head, ...block.rows].flat().join(" "));
    case "call":
      return `${block.method} ${block.path}`;
    default:
      return "";
  }
}

function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replaceAll(/`([^`]*)`|\*\*?([^*]+)\*\*?|(?<!\w)_([^_]+)_(?!\w)/g, (_, ...texts: (string | undefined)[]) => {
      return texts.find((each) => each !== undefined) ?? "";
    });
}
