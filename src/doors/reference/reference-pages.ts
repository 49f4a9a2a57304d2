import type { ApiInfo, DescribedRoute } from "../../kit/openapi/reference.ts";
import { errorPath } from "../../platform/http/http-error.ts";
import { anchorOf, heading, headingsOf, links, paragraph, type Block } from "./blocks.ts";
import {
  changelog,
  contractSections,
  guideSections,
  linksOf,
  presentGuides,
  type DocumentSection,
} from "./documents.ts";
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
export type PageGroup = "Guides" | "API" | "More" | "Error" | "Chapter" | "Changes" | null;

/** Every page, in the order of the navigation. */
export function referencePages(api: ApiInfo, routes: readonly DescribedRoute[]): ReferencePage[] {
  const nouns = nounsOf(routes);
  const errors = describedErrors(nouns);
  const chapters = contractSections();
  return [
    { path: "/docs", title: "Start", group: null, blocks: () => startBlocks(api, nouns) },
    ...presentGuides().map(({ slug, title, sections }): ReferencePage => ({
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
    ...changelog().releases.flatMap(({ title: release, parts }) =>
      parts
        .filter((part) => !OF_INTEGRATORS.has(part.title))
        .map((part): ReferencePage => ({
          path: partPath(release, part),
          title: `${release}: ${part.title}`,
          group: "Changes",
          blocks: () => parseMarkdown(part.text, linksOf("CHANGELOG.md")),
        })),
    ),
  ];
}

function guideBlocks(titles: readonly string[]): Block[] {
  const sections = guideSections();
  const chosen = titles.map((title) => sections.find((section) => section.title === title));
  const [only, ...others] = chosen;
  const text =
    others.length === 0
      ? raised(only?.text ?? "")
      : chosen.map((section) => `## ${section?.title ?? ""}\n${section?.text ?? ""}`).join("\n");
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
  return withContents(parseMarkdown(raised(text), linksOf("docs/contract.md")));
}

/** The text of a page's only section: the page has its title, so the headings below go up by one level. */
function raised(text: string): string {
  return text.replaceAll(/^###(?=#? )/gm, "##");
}

/** The parts of a release that integrators read. Each other part has a page of its own. */
const OF_INTEGRATORS: ReadonlySet<string> = new Set(["The API", "Invoices and warehouse orders"]);

function partPath(release: string, { title }: DocumentSection): string {
  return `/docs/changelog/${anchorOf(`${release} ${title}`)}`;
}

function changelogBlocks(): Block[] {
  const link = linksOf("CHANGELOG.md");
  const { introduction, releases } = changelog();
  const blocks = parseMarkdown(introduction, link);
  for (const { title: release, text, parts } of releases) {
    const anchor = ({ title }: DocumentSection) => anchorOf(`${release} ${title}`);
    const own = parts.filter(({ title }) => OF_INTEGRATORS.has(title));
    const listed = parts.map((part) => ({
      title: part.title,
      path: own.includes(part) ? `#${anchor(part)}` : partPath(release, part),
    }));
    blocks.push(heading(2, release), ...parseMarkdown(text, link), links(listed));
    for (const part of own) blocks.push(heading(3, part.title, anchor(part)), ...parseMarkdown(part.text, link));
  }
  return blocks;
}

/** The blocks with a table of contents before the first heading, if there are several headings. */
function withContents(blocks: Block[]): Block[] {
  const found = headingsOf(blocks).filter(({ level }) => level <= 3);
  if (found.length < 2) return blocks;
  const contents = links(found.map(({ text, id }) => ({ title: text, path: `#${id}` })));
  const first = blocks.findIndex(({ kind }) => kind === "heading");
  return [...blocks.slice(0, first), contents, ...blocks.slice(first)];
}
