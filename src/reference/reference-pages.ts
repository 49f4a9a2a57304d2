import type { ApiInfo, DescribedRoute } from "../openapi/reference.ts";
import { errorPath } from "../platform/http/http-error.ts";
import { headingsOf, links, paragraph, type Block } from "./blocks.ts";
import { changelogText, contractSections, guides, guideSections, linksOf } from "./documents.ts";
import { describedErrors, errorBlocks, errorIndexBlocks } from "./error-pages.ts";
import { eventBlocks } from "./event-page.ts";
import { parseMarkdown } from "./markdown.ts";
import { nounBlocks, nounsOf } from "./noun-page.ts";
import { startBlocks } from "./start-page.ts";

/** A page of the reference. Its blocks are made on first use. */
export type ReferencePage = {
  /** Without the base of a proxy. */
  path: string;
  title: string;
  group: PageGroup;
  blocks: () => readonly Block[];
};

/** The headings of the navigation, in their order; those of `null` stand alone. */
export type PageGroup = "Guides" | "API" | "More" | "Error" | "Chapter" | null;

/** Every page, in the order of the navigation. */
export function referencePages(
  api: ApiInfo,
  routes: readonly DescribedRoute[],
  publicUrl: string | null,
): ReferencePage[] {
  const nouns = nounsOf(routes);
  const errors = describedErrors(nouns);
  const chapters = contractSections();
  return [
    { path: "/docs", title: "Start", group: null, blocks: () => startBlocks(api, nouns, publicUrl) },
    ...guides.map(({ slug, title, sections }): ReferencePage => ({
      path: `/docs/guides/${slug}`,
      title,
      group: "Guides",
      blocks: () => guideBlocks(sections),
    })),
    ...nouns.map((noun): ReferencePage => ({
      path: `/docs/api/${noun.slug}`,
      title: noun.title,
      group: "API",
      blocks: () => nounBlocks(noun),
    })),
    { path: "/docs/errors", title: "Errors", group: "More", blocks: () => errorIndexBlocks(errors) },
    ...errors.map((error): ReferencePage => ({
      path: errorPath(error.code),
      title: error.code,
      group: "Error",
      blocks: () => errorBlocks(error),
    })),
    { path: "/docs/events", title: "Events", group: "More", blocks: () => eventBlocks(routes) },
    { path: "/docs/contract", title: "Contract", group: "More", blocks: () => contractBlocks(chapters) },
    ...chapters.map(({ title, text }, index): ReferencePage => ({
      path: `/docs/contract/${index + 1}`,
      title,
      group: "Chapter",
      blocks: () => chapterBlocks(text),
    })),
    { path: "/docs/changelog", title: "Changelog", group: "More", blocks: changelogBlocks },
  ];
}

function guideBlocks(titles: readonly string[]): Block[] {
  const sections = guideSections();
  const chosen = titles.map((title) => sections.find((section) => section.title === title));
  const text = chosen.map((section) => `## ${section?.title ?? ""}\n${section?.text ?? ""}`).join("\n");
  const usesApi = text.includes("$ api ") && !titles.includes(DEFINES_API);
  return [...(usesApi ? [ABOUT_API] : []), ...withContents(parseMarkdown(text, linksOf("docs/api.md")))];
}

/** The section that defines the command of the examples. */
const DEFINES_API = "Before you begin";
const ABOUT_API = paragraph(
  "In the examples, `api` is curl with your key, and the answers are those of a new demo tenant " +
    "([Before you begin](/docs/guides/authentication#before-you-begin)).",
);

function contractBlocks(chapters: readonly { title: string }[]): Block[] {
  return [
    paragraph("The numbered rules behind the API. A test exists for each."),
    links(chapters.map(({ title }, index) => ({ title, path: `/docs/contract/${index + 1}` }))),
  ];
}

/** The rules of a chapter, whose headings begin below its title. */
function chapterBlocks(text: string): Block[] {
  return withContents(parseMarkdown(text.replaceAll(/^### /gm, "## "), linksOf("docs/contract.md")));
}

function changelogBlocks(): Block[] {
  return withContents(parseMarkdown(changelogText(), linksOf("CHANGELOG.md")));
}

/** A table of contents before the blocks, if there are several headings. */
function withContents(blocks: Block[]): Block[] {
  const found = headingsOf(blocks).filter(({ level }) => level <= 3);
  if (found.length < 2) return blocks;
  return [links(found.map(({ text, id }) => ({ title: text, path: `#${id}` }))), ...blocks];
}
