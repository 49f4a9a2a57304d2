import { changeInJob } from "../../exchange/imports/changing/change-rows.ts";
import { asking } from "../../kit/web/asking.ts";
import { labelledSelect } from "../../kit/web/forms/select.ts";
import { html } from "../../kit/web/html.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page } from "../../kit/web/page.ts";
import { SESSION_IDLE_MS } from "../../kit/web/session.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { deactivateUser, stakesOf } from "../../people/users/member-queries.ts";
import { memberOf } from "../../people/users/pages/member-of.ts";
import { memberAnswer } from "../../people/users/pages/show-user-page.ts";
import { usersToChoose } from "../../people/users/user-queries.ts";
import { userWords } from "../../people/users/user-words.ts";
import { now } from "../../platform/clock.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { parseQuery } from "../../platform/http/lists/pagination.ts";
import { companyListWords, listWords } from "./company-list-words.ts";
import { parseListFilters } from "./list-filters.ts";
import { matchingIds } from "./narrowed-export-queries.ts";

const NOBODY = "nobody";

/** GET /users/{id}/deactivate: what the person has, and who gets the companies. */
export const askToDeactivatePage: Page = async (deps, request) => {
  const { actor, language } = request;
  const { id, name, deactivatedAt, openInvitations } = await memberOf(deps, request);
  if (deactivatedAt !== null) return { to: `/users/${id}` };
  const words = userWords[language];
  const { companies, sessions, keys } = await stakesOf(actor.tenant, deps.database, id, now() - SESSION_IDLE_MS);
  const heirs =
    companies === 0 ? [] : (await usersToChoose(actor.tenant, deps.database)).filter((user) => user.id !== id);
  const choices = [
    { value: "", label: words.keepCompanies(name) },
    { value: NOBODY, label: listWords[language].nobody },
    ...heirs.map((user) => ({ value: user.id, label: user.name })),
  ];
  return asking(language, {
    title: words.deactivateTitle(name),
    area: "users",
    consequences: [
      words.deactivateText,
      words.sessionsEnd(sessions),
      openInvitations > 0 && words.invitationsEnd(openInvitations),
      keys > 0 && html`${words.keysStay(keys)} <a href="/keys">${shellWords[language].keys}</a>`,
    ],
    action: `/users/${id}/deactivate`,
    fields: companies === 0 ? null : labelledSelect(words.giveCompanies(companies), "owner", null, choices),
    submit: words.deactivate,
    back: `/users/${id}`,
  });
};

/**
 * POST /users/{id}/deactivate: ends every session of the user, at once and for good. `owner` gets the companies, by a
 * change that can be undone.
 */
export const deactivateUserPage: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const { tenant } = actor;
  const member = await memberOf(deps, request);
  const chosen = form.get("owner") ?? "";
  const heirs = [{ id: NOBODY, name: listWords[language].nobody }, ...(await usersToChoose(tenant, deps.database))];
  const heir = heirs.find(({ id }) => id === chosen && id !== member.id);
  // Somebody who left meanwhile is not offered any more.
  if (chosen !== "" && heir === undefined) return { to: `/users/${member.id}/deactivate` };
  const changed = await deactivateUser(tenant, deps.database, member.id, changedBy(actor));
  const filters = parseListFilters(parseQuery(`assigned_to=${member.id}`), "");
  if (changed.outcome === "written" && heir !== undefined && filters !== null) {
    const title = `${companyListWords[language].labels.assigned_to}: ${heir.name}`;
    const values = { assigned_to: heir.id === NOBODY ? null : heir.id };
    const ids = matchingIds(tenant, deps.database, filters);
    const change = await changeInJob(deps, actor, { kind: "companies", title, values }, ids);
    const said = { invitations: String(changed.invitationsEnded) };
    if (change !== null) return { to: `/imports/${change}`, notice: notice("user-deactivated", said) };
    return { to: `/users/${member.id}`, notice: notice("no-room") };
  }
  return memberAnswer(request, member, changed, { to: `/users/${member.id}`, said: "user-deactivated" });
};
