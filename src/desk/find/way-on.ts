import type { Deps } from "../../kit/deps.ts";
import type { AdminsOnly } from "../../kit/web/forms/page-errors.ts";
import { keyboardWords } from "../../kit/web/frame/keyboard-words.ts";
import { areasOf, pathOf } from "../../kit/web/frame/layout.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import type { Language } from "../../kit/web/language.ts";
import type { Session } from "../../kit/web/session.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { listMembers } from "../../people/users/member-queries.ts";
import { listOpened, openedPlaces } from "../last-opened/last-opened-queries.ts";
import { findWords } from "./find-words.ts";

const OPENED = 5;
const ADMINS = 5;
/** The active users of larger workspaces are not all read for a message. */
const MEMBERS_READ = 100;

/** Ways on from the page of a 404: the search, and the records that the person opened last. */
export async function wayOn({ database }: Deps, { tenant, user }: Session, language: Language): Promise<Html> {
  const { find, findHint } = keyboardWords[language];
  const opened = await listOpened(tenant, database, user.id, OPENED);
  return html`<form class="search" role="search" action="/find"><label class="hidden" for="lost">${find}</label>${icon("search")}
<input id="lost" name="q" type="search" placeholder="${findHint}" maxlength="255"></form>
${
  opened.length > 0 &&
  html`<nav class="found" aria-label="${findWords[language].opened}"><ul aria-label="${findWords[language].opened}">${opened.map(
    ({ kind, id, name, company }) =>
      html`<li><a href="/${openedPlaces[kind]}/${id}"><span>${name}</span> <small>${company}</small></a></li>`,
  )}</ul></nav>`
}`;
}

/** The sentence that names the admins of the workspace. */
export async function whoMay(
  { database }: Deps,
  { tenant }: Session,
  what: AdminsOnly["what"],
  address: string,
  language: Language,
): Promise<string> {
  const { rows: members } = await listMembers(tenant, database, { page: 1, perPage: MEMBERS_READ, offset: 0 });
  const admins = members.filter(({ role, deactivatedAt }) => role === "admin" && deactivatedAt === null);
  const names = admins.slice(0, ADMINS).map(({ name }) => name);
  const area = areasOf(true).find((each) => address === pathOf(each) || address.startsWith(`${pathOf(each)}/`));
  const words = findWords[language];
  if (what === "export") return words.mayNotExport(names.join(", "));
  return words.forAdmins(area === undefined ? null : shellWords[language][area], names.join(", "));
}
