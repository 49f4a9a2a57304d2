import type { Deps } from "../../kit/deps.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { oneOf, wholeNumber, type Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { within } from "../../platform/clock.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { pageWords } from "./page-words.ts";

type PartName = keyof (typeof pageWords)["en"]["sections"];

/** A part of a company's page, read by a query of its own. */
export type Section = {
  name: PartName;
  /** The page with all of them, and the page that adds one; null if there is no such page. */
  all: ((companyId: string) => string) | null;
  add: ((companyId: string) => string) | null;
  /** The key of its link to add one. */
  shortcut?: string;
  /** Whether its rows have buttons, each with its own target. */
  isForm?: true;
  read: (deps: Deps, request: PageRequest, company: RowByName) => Promise<SectionContent>;
};

/**
 * `rows` are the first ones as a table, `count` is their number, and `total` that of all. `following`: the attribute by
 * which the page follows rows that change.
 */
export type SectionContent = { total: number; count: number; rows: Html; following?: Html | null };

/** As many rows as a section shows. */
export const SHOWN = { page: 1, perPage: 5, offset: 0 };

/** Longer than a person waits for a part that he may not have come for. */
const PATIENCE_MS = 2_000;

/**
 * All of the sections, read at the same time. One that fails or takes too long says so, and keeps none of the others
 * waiting. Those that have nothing, and to which nothing can be added, are one line at the end.
 */
export async function readSections(
  sections: readonly Section[],
  deps: Deps,
  request: PageRequest,
  company: RowByName,
): Promise<Html> {
  const { language } = request;
  const empty = new Set<Section>();
  const parts = await Promise.all(
    sections.map(
      async (section) =>
        await part(section.name, deps, language, async () => {
          const content = await section.read(deps, request, company);
          if (content.count > 0 || section.add !== null) return frame(section, content, company, language);
          empty.add(section);
          return html``;
        }),
    ),
  );
  const words = pageWords[language];
  const kinds = sections.filter((section) => empty.has(section)).map(({ name }) => words.sections[name].toLowerCase());
  return html`${parts}${kinds.length > 0 && html`<p class="muted">${words.none(oneOf(language, kinds))}</p>`}`;
}

/** A part of the page under its heading. If it fails or takes too long, a message is in its place. */
export async function part(
  name: PartName,
  { logger }: Deps,
  language: Language,
  read: () => Promise<Html>,
): Promise<Html> {
  try {
    return await within(PATIENCE_MS, read(), () => new Error(`it took longer than ${PATIENCE_MS} ms`));
  } catch (error) {
    logger.warn({ err: error, section: name }, "a part of a company's page was left out");
    const { sections, trouble } = pageWords[language];
    return html`<section class="section" id="${name}"><header><h2>${sections[name]}</h2></header>
<p class="trouble">${trouble}</p></section>`;
  }
}

function frame(
  { name, all, add, shortcut, isForm }: Section,
  { total, count, rows, following }: SectionContent,
  { id }: RowByName,
  language: Language,
): Html {
  const words = pageWords[language];
  const title = html`${words.sections[name]} <span class="count">${wholeNumber(language, total)}</span>`;
  const href = count > 0 ? all?.(String(id)) : undefined;
  return html`<section class="section" id="${name}"${following}><header>
<h2>${href === undefined ? title : html`<a href="${href}">${title}</a>`}</h2>
${add !== null && html`<a class="button quiet" href="${add(String(id))}"${shortcut !== undefined && html` aria-keyshortcuts="${shortcut}"`}>${icon("add")}${shellWords[language].add}<span class="hidden"> ${words.sections[name]}</span></a>`}
</header>
${count > 0 && (isForm === true ? html`<form method="post"><input type="hidden" name="to" value="/companies/${id}">${rows}</form>` : rows)}
${href !== undefined && count < total && html`<p class="foot"><a href="${href}">${words.all(total)}</a></p>`}
</section>`;
}
