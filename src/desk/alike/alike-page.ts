import {
  countAlikeOf,
  listAlike,
  listNotAlike,
  sayNotAlike,
  takeBackNotAlike,
  type AlikeCompany,
} from "../../customers/alike/alike-pair-queries.ts";
import { PLACE } from "../../customers/alike/compare-companies.ts";
import { evidenceIn } from "../../customers/alike/evidence-words.ts";
import { catchUp, keepUp } from "../../customers/alike/find-alike.ts";
import type { Deps } from "../../kit/deps.ts";
import { errors } from "../../kit/errors.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { notice, type Notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isId } from "../../platform/ids.ts";
import { alikeWords } from "./alike-words.ts";

const STATES = ["sure", "probable", "not"] as const;
/** Pairs of a page. */
const SHOWN = 50;

/** GET /companies/alike: companies that look the same, in pairs. */
export const alikePage: Page = async (deps, request) => {
  const { actor, query, language } = request;
  const words = alikeWords[language];
  const state = STATES.find((each) => each === query.get("state")) ?? "sure";
  const after = isId(query.get("after") ?? "") ? String(query.get("after")) : "0";
  await catchUp(deps, actor.tenant);
  const pairs =
    state === "not"
      ? (await listNotAlike(actor.tenant, deps.database, SHOWN)).map((companies) => ({
          id: "",
          companies,
          evidence: [],
        }))
      : await listAlike(actor.tenant, deps.database, PLACE[state], after, PLACE[state], SHOWN + 1);
  const shown = pairs.slice(0, SHOWN);
  const next = pairs.length > SHOWN ? shown.at(-1)?.id : undefined;
  const tab = (each: (typeof STATES)[number]) =>
    html`<a href="/companies/alike?state=${each}"${each === state && html` aria-current="page"`}>${words.states[each]}</a>`;
  const main = html`<a class="back" href="/companies">${icon("back")}${words.back}</a>
<header class="heading"><h1>${words.title}</h1><nav class="switch" aria-label="${words.show}">${STATES.map(tab)}</nav></header>
${shown.length === 0 && emptyState("companies", state === "not" ? words.noneNot : words.none, [{ href: "/companies", label: words.back }])}
${shown.map(({ companies: [one, other], evidence }) => pair(one, other, evidenceIn(language, evidence), state === "not", language))}
${next !== undefined && html`<p class="actions"><a class="button" href="/companies/alike?state=${state}&amp;after=${next}">${words.more}</a></p>`}`;
  return { title: words.title, area: "companies", main };
};

function pair(
  one: AlikeCompany,
  other: AlikeCompany,
  evidence: string,
  isRefused: boolean,
  language: PageRequest["language"],
): Html {
  const words = alikeWords[language];
  const names = html`<span class="hidden"> ${one.name}, ${other.name}</span>`;
  const form = (path: string, label: Content) =>
    html`<form method="post" action="/companies/${one.id}/${path}/${other.id}"><button>${label}${names}</button></form>`;
  return html`<section class="section"><ul>${[one, other].map(
    ({ id, name, tax_id: taxId, city }) =>
      html`<li><a href="/companies/${id}">${name}</a> <small class="muted">${[taxId, city].filter((each) => each !== null).join(" · ")}</small></li>`,
  )}</ul>
${evidence !== "" && html`<p class="hint">${words.same}: ${evidence}</p>`}
<div class="actions">${
    isRefused
      ? form("alike", words.isSame)
      : html`<a class="button main" href="/companies/${one.id}/merge?with=${other.id}">${words.merge}${names}</a>${form("not-alike", words.notSame)}`
  }</div></section>`;
}

/** POST /companies/{id}/not-alike/{other} */
export const notAlikePage = saying(sayNotAlike, (two) => notice("not-alike", two));
/** POST /companies/{id}/alike/{other}: takes it back. */
export const alikeAgainPage = saying(takeBackNotAlike, () => notice("alike-again"));

function saying(say: typeof sayNotAlike, done: (two: { id: string; other: string }) => Notice): Page {
  return async ({ database }, { actor, params }) => {
    const { id = "", other = "" } = params;
    if (!isId(id) || !isId(other)) throw errors.resourceMissing("Company", isId(id) ? other : id);
    const missing = await say(actor.tenant, database, { id, other }, changedBy(actor));
    if (missing !== null) throw errors.resourceMissing("Company", missing);
    return { to: "/companies/alike", notice: done({ id, other }) };
  };
}

/** The number of possible duplicates among a user's companies, with a link; null without any. */
export async function duplicatesOfUser(deps: Deps, { actor, session, language }: PageRequest): Promise<Html | null> {
  await keepUp(deps, actor.tenant);
  const count = await countAlikeOf(actor.tenant, deps.database, session.user.id);
  const words = alikeWords[language];
  return count === 0 ? null : html`<p>${words.mine(count)} <a href="/companies/alike">${words.show}</a></p>`;
}
