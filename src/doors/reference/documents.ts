import fs from "node:fs";
import path from "node:path";
import { anchorOf } from "./blocks.ts";
import type { Relink } from "./markdown.ts";

const ROOT = path.join(import.meta.dirname, "../../..");

/** A part of a document, from a heading to the next of its level. */
export type DocumentSection = { title: string; text: string };

/**
 * The guides of the reference: address, title, and the sections of docs/api.md and docs/agents.md that each has, in
 * their order.
 */
export const guides: readonly { slug: string; title: string; sections: readonly string[] }[] = [
  { slug: "authentication", title: "Authentication", sections: ["Before you begin", "Authentication"] },
  { slug: "lists", title: "Resources and lists", sections: ["One resource", "Lists"] },
  {
    slug: "editing",
    title: "Editing",
    sections: ["Partial updates", "Changing what you have read", "Deleting and restoring", "History"],
  },
  { slug: "external-ids", title: "Ids of other systems", sections: ["Ids of other systems"] },
  { slug: "fields", title: "Fields of your own", sections: ["Fields of your own"] },
  { slug: "retries", title: "Retries", sections: ["Repeating a request", "Fewer bytes"] },
  { slug: "batches", title: "Batches", sections: ["Many at once"] },
  { slug: "following", title: "Following changes", sections: ["Feed, webhook or poll?", "Following what changes"] },
  { slug: "webhooks", title: "Receiving webhooks", sections: ["Receiving webhooks"] },
  { slug: "invoices-and-orders", title: "Invoices and orders", sections: ["Invoices", "Warehouse orders"] },
  { slug: "money", title: "Money", sections: ["Money"] },
  { slug: "errors", title: "Handling errors", sections: ["Errors"] },
  { slug: "recipes", title: "Recipes", sections: ["Recipes"] },
  {
    slug: "agents",
    title: "Assistants",
    sections: ["Connect an assistant", "Give it a narrow key", "What an assistant may do", "A worked session"],
  },
  { slug: "typescript", title: "TypeScript", sections: ["From TypeScript"] },
  { slug: "browsers", title: "Browsers", sections: ["From a browser"] },
  { slug: "good-to-know", title: "Good to know", sections: ["Deprecation", "Good to know"] },
];

/** The guides whose sections are all there: an installation without a document has the rest of the reference. */
export function presentGuides(): typeof guides {
  const titles = new Set(guideSections().map(({ title }) => title));
  return guides.filter(({ sections }) => sections.every((title) => titles.has(title)));
}

/** The sections of the guides, without the table of contents of docs/api.md. */
export function guideSections(): DocumentSection[] {
  const sections = ["docs/api.md", "docs/agents.md"].flatMap((document) => sectionsOf(read(document)));
  return sections.filter(({ title }) => title !== "Contents");
}

/** The numbered sections of docs/contract.md. */
export function contractSections(): DocumentSection[] {
  return sectionsOf(read("docs/contract.md"));
}

/** The text of docs/errors.md before its sections, and its entries by the names of the error table. */
export function errorTexts(): {
  introduction: string;
  groups: { title: string; text: string; names: string[] }[];
  entries: Map<string, string>;
} {
  const text = read("docs/errors.md");
  const [, introduction = ""] = /^# .*\n([^]*?)^## /m.exec(text) ?? [];
  const groups = sectionsOf(text).map((section) => {
    const [own = "", ...entries] = section.text.split(/^### /m);
    return { title: section.title, text: own, entries: entries.map(splitTitle) };
  });
  return {
    introduction,
    groups: groups.map(({ title, text, entries }) => ({ title, text, names: entries.map((entry) => entry.title) })),
    entries: new Map(groups.flatMap(({ entries }) => entries.map(({ title, text }) => [title, text]))),
  };
}

/** The releases of CHANGELOG.md, newest first, each with its parts. */
export function changelog(): { introduction: string; releases: (DocumentSection & { parts: DocumentSection[] })[] } {
  const text = read("CHANGELOG.md");
  const [, introduction = ""] = /^# .*\n([^]*?)^## /m.exec(text) ?? [];
  const releases = sectionsOf(text).map(({ title, text }) => ({
    title,
    text: text.replace(/^### [^]*/m, ""),
    parts: splitAt("### ", text),
  }));
  return { introduction, releases };
}

/** Where the links of a document lead: to the page of the reference that has the same text. */
export function linksOf(document: "docs/api.md" | "docs/contract.md" | "docs/errors.md" | "CHANGELOG.md"): Relink {
  return (href) => {
    const [file = "", anchor = ""] = href.split("#");
    const target = file === "" ? document : path.posix.join(path.posix.dirname(document), file);
    if (target === "docs/api.md") return guideWith(anchor);
    if (target === "docs/contract.md") return chapterWith(anchor);
    if (target === "docs/agents.md") return anchor === "" ? "/docs/guides/agents" : guideWith(anchor);
    if (target === "docs/errors.md") return "/docs/errors";
    return target === "CHANGELOG.md" ? "/docs/changelog" : null;
  };
}

/** The address of a guide: its only section has no anchor, because its title is the page's. */
function guideWith(anchor: string): string {
  const all = guideSections();
  const pages = guides.map(({ slug, sections }) => ({
    path: `/docs/guides/${slug}`,
    sections: all.filter(({ title }) => sections.includes(title)),
  }));
  return placeOf(anchor, pages) ?? "/docs";
}

function chapterWith(anchor: string): string {
  const chapters = contractSections();
  const pages = chapters.map((section, index) => ({ path: `/docs/contract/${index + 1}`, sections: [section] }));
  return placeOf(anchor, pages) ?? "/docs/contract";
}

type Place = { path: string; sections: readonly DocumentSection[] };

function placeOf(anchor: string, pages: readonly Place[]): string | null {
  const page = pages.find(({ sections }) => sections.some((section) => anchorsIn(section).includes(anchor)));
  if (page === undefined) return null;
  const [first, ...others] = page.sections.map(({ title }) => anchorOf(title));
  return first === anchor && others.length === 0 ? page.path : `${page.path}#${anchor}`;
}

function anchorsIn({ title, text }: DocumentSection): string[] {
  return [title, ...[...text.matchAll(/^#{3,4} (.+)$/gm)].map(([, inner = ""]) => inner)].map(anchorOf);
}

function sectionsOf(text: string): DocumentSection[] {
  return splitAt("## ", text);
}

/** The parts of a text that begin with headings of one level. */
function splitAt(marks: "## " | "### ", text: string): DocumentSection[] {
  const [, ...sections] = text.split(marks === "## " ? /^## /m : /^### /m);
  return sections.map(splitTitle);
}

function splitTitle(section: string): DocumentSection {
  const end = section.indexOf("\n");
  return { title: section.slice(0, end), text: section.slice(end + 1) };
}

/** Empty if the installation does not have the document. */
function read(name: string): string {
  const file = path.join(ROOT, name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}
