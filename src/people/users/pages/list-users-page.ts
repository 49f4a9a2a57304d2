import { errors } from "../../../kit/errors.ts";
import { listGivenUp, type GivenUpMail } from "../../../kit/mail/mail-queries.ts";
import { rowTable } from "../../../kit/tables/rows.ts";
import { shortList } from "../../../kit/tables/short-list.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { state } from "../../../kit/web/state.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { parsePage } from "../../../platform/http/lists/pagination.ts";
import type { OpenInvitation } from "../invitation-queries.ts";
import { listInvitations, revokeInvitation } from "../invitation.ts";
import { companiesOfMembers, listMembers, MOST_COMPANIES, type WorkspaceMember } from "../member-queries.ts";
import { roleWords, userWords } from "../user-words.ts";
import { userState } from "./user-state.ts";

/** GET /users: the active ones first, and below them the invitations that are open. */
export const listUsersPage: Page = async ({ database }, request) => {
  const { actor, session, query, language } = request;
  const words = userWords[language];
  const page = parsePage(query);
  const [{ rows, total }, invitations, givenUp] = await Promise.all([
    listMembers(actor.tenant, database, page),
    listInvitations(actor.tenant, database),
    listGivenUp(actor.tenant, database),
  ]);
  const companies = await companiesOfMembers(
    actor.tenant,
    database,
    rows.map(({ id }) => id),
  );
  const { timeZone } = session.workspace;
  return shortList<WorkspaceMember>(request, {
    area: "users",
    title: words.title,
    add: { href: "/users/new", label: words.invite },
    rows,
    paged: { total, page },
    columns: [
      ["name", words.name, ({ name }) => name, { href: ({ id }) => `/users/${id}` }],
      ["email", words.email, ({ email }) => email],
      ["text", words.role, ({ role }) => roleWords[language][role]],
      ["text", words.state, (member) => userState(member, language)],
      ["labelled", words.secondFactor, ({ hasSecondFactor }) => hasSecondFactor && words.on],
      [
        "number",
        shellWords[language].companies,
        ({ id }) => {
          const count = companies.get(id) ?? 0;
          const shown = wholeNumber(language, Math.min(count, MOST_COMPANIES));
          return count > 0 && html`<a href="/companies?assigned_to=${id}">${shown}${count > MOST_COMPANIES && "+"}</a>`;
        },
        { sort: ["companies", ({ id }) => companies.get(id) ?? 0] },
      ],
      [
        "date",
        words.lastSeen,
        ({ lastSeenAt: at }) => at !== null && moment(language, at, timeZone),
        { sort: ["last_seen", ({ lastSeenAt }) => lastSeenAt] },
      ],
    ],
    // The list is never empty: it has the user who opens it.
    empty: html``,
    below: html`${invitations.length > 0 && invitationTable(invitations, language, timeZone)}
${givenUp.length > 0 && givenUpTable(givenUp, language, timeZone)}`,
  });
};

/** POST /users/invitations/{id}/revoke */
export const revokeInvitationPage: Page = async ({ database }, { actor, params }) => {
  const id = params.id ?? "";
  if (!(await revokeInvitation(actor.tenant, database, id, changedBy(actor))))
    throw errors.resourceMissing("Invitation", id);
  return { to: "/users", notice: notice("invitation-revoked") };
};

function invitationTable(invitations: OpenInvitation[], language: Language, timeZone: string): Html {
  const words = userWords[language];
  const until = ({ isForUser, expiresAt }: OpenInvitation) =>
    (isForUser ? moment : dayOf)(language, expiresAt, timeZone);
  return html`<section class="section"><header><h2>${words.invitations}</h2></header>
${rowTable(invitations, [
  ["name", words.email, ({ email }) => email],
  ["text", words.role, ({ isForUser, role }) => (isForUser ? words.forPassword : roleWords[language][role])],
  ["labelled", words.invitedBy, (one) => one.invitedBy ?? (one.isForUser ? words.byMail : words.byOperator)],
  ["date", words.validUntil, (one) => (one.isExpired ? state("attention", words.expired) : until(one))],
  [
    "action",
    words.revoke,
    ({ id, email }) =>
      html`<form method="post" action="/users/invitations/${id}/revoke"><button class="quiet" aria-label="${words.revokeOf(email)}">${words.revoke}</button></form>`,
  ],
])}</section>`;
}

/** The mails that were given up: an admin informs these people by other means. */
function givenUpTable(mails: GivenUpMail[], language: Language, timeZone: string): Html {
  const words = userWords[language];
  const reasons: Readonly<Record<string, string>> = words.givenUpReasons;
  return html`<section class="section"><header><h2>${words.givenUp}</h2></header>
<p>${words.givenUpAbout}</p>
${rowTable(mails, [
  ["name", words.email, ({ email }) => email],
  ["text", words.kind, ({ kind }) => words.givenUpKinds[kind]],
  ["labelled", words.reason, ({ failure }) => reasons[failure ?? ""] ?? words.givenUpReasons.other],
  ["date", words.when, ({ endedAt }) => moment(language, endedAt, timeZone)],
])}</section>`;
}
