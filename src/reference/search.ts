import { comparable } from "../platform/text.ts";
import type { Block } from "./blocks.ts";
import type { ReferencePage } from "./reference-pages.ts";

/** A place that the search finds: a page, a section of it, or a field. */
export type FoundPlace = { title: string; page: string; path: string; text: string };

/** A place, with its words as they are compared. */
type Indexed = FoundPlace & { titleWords: string; words: string };

/** Code points; a longer query finds nothing. */
const MOST_QUERY = 100;
const MOST_WORDS = 6;
const MOST_FOUND = 30;
/** Characters of a place's text that a result shows. */
const EXCERPT = 160;

/** Every place of the reference, for the search. */
export function indexOf(pages: readonly ReferencePage[]): Indexed[] {
  return pages.flatMap((page) => placesOf(page).map(indexed));
}

/** The places with all words of the query, those with a word in their title first. */
export function search(index: readonly Indexed[], query: string): FoundPlace[] {
  const words = (comparable(query, MOST_QUERY) ?? "").split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const scored = index.flatMap((place) => {
    if (!words.every((word) => place.words.includes(word))) return [];
    const inTitle = words.filter((word) => place.titleWords.includes(word)).length;
    const atStart = words.some((word) => place.titleWords.startsWith(word)) ? 1 : 0;
    return [{ place, score: 2 * inTitle + atStart }];
  });
  return scored
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ place: { title, page, path, text } }) => ({ title, page, path, text: text.slice(0, EXCERPT) }));
}

/** The index that browsers search while somebody types: title, page and address of each place. */
export function typedIndex(index: readonly Indexed[]): string {
  return JSON.stringify(index.map(({ title, page, path }) => [title, page, path]));
}

function placesOf({ path, title, blocks }: ReferencePage): FoundPlace[] {
  const places: FoundPlace[] = [{ title, page: title, path, text: "" }];
  const add = (block: Block): void => {
    if (block.kind === "heading") {
      places.push({ title: plain(block.text), page: title, path: `${path}#${block.id}`, text: "" });
    } else if (block.kind === "fields") {
      for (const { name, id, description } of block.rows) {
        places.push({ title: name, page: title, path: `${path}#${id}`, text: plain(description) });
      }
    } else if (block.kind === "beside") for (const inner of block.words) add(inner);
    else {
      const last = places.at(-1);
      if (last !== undefined) last.text = `${last.text} ${textOf(block)}`.trim();
    }
  };
  for (const block of blocks()) add(block);
  // "Errors" and the like stand under every operation, "Operations" under every error: they say nothing by themselves.
  return places.filter(({ path }) => !/-(?:parameters|body|answer|errors)$|#operations$/.test(path));
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
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll(/[`*]/g, "");
}

function indexed(place: FoundPlace): Indexed {
  const fold = (text: string) => comparable(text, text.length) ?? "";
  return { ...place, titleWords: fold(place.title), words: fold(`${place.title} ${place.page} ${place.text}`) };
}
