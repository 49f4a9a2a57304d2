import { asking } from "../../../kit/web/asking.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { SESSION_IDLE_MS } from "../../../kit/web/session.ts";
import { now } from "../../../platform/clock.ts";
import { stakesOf } from "../../users/member-queries.ts";
import { memberOf } from "../../users/pages/member-of.ts";
import { userWords } from "../../users/user-words.ts";
import { removeOfUser } from "../own-passkeys.ts";
import { listPasskeys } from "../passkey-queries.ts";
import { passkeyWords } from "../passkey-words.ts";
import { passkeyNamed, passkeyTable } from "./own-pages.ts";

const OWN = "/profile#passkeys";

/** GET /users/{id}/passkeys: the passkeys of another user, who may have lost a device. */
export const usersPasskeysPage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const { id, name } = await memberOf(deps, request);
  if (id === session.user.id) return { to: OWN };
  const words = passkeyWords[language];
  const passkeys = await listPasskeys(actor.tenant, deps.database, id);
  const main = html`<a class="back" href="/users/${id}">${icon("back")}${name}</a>
<header class="heading"><h1>${words.ofTitle(name)}</h1></header>
${passkeys.length === 0 ? html`<p>${words.ofNone}</p>` : passkeyTable(`/users/${id}/passkeys`, passkeys, language, session.workspace.timeZone)}`;
  return { title: words.ofTitle(name), area: "users", main };
};

/** GET /users/{id}/passkeys/{passkey}/remove: the sessions that end with it. */
export const askToRemoveUsersPage: Page = async (deps, request) => {
  const { actor, session, params, language } = request;
  const { id, name } = await memberOf(deps, request);
  if (id === session.user.id) return { to: OWN };
  const passkey = passkeyNamed(await listPasskeys(actor.tenant, deps.database, id), params.passkey);
  const words = passkeyWords[language];
  const { sessions } = await stakesOf(actor.tenant, deps.database, id, now() - SESSION_IDLE_MS);
  return asking(language, {
    title: words.ofRemoveTitle(passkey.name, name),
    area: "users",
    consequences: [words.ofRemoveText, userWords[language].sessionsEnd(sessions)],
    action: `/users/${id}/passkeys/${passkey.id}/remove`,
    submit: words.remove,
    back: `/users/${id}/passkeys`,
  });
};

/** POST /users/{id}/passkeys/{passkey}/remove */
export const removeUsersPost: Page = async (deps, request) => {
  const { actor, session, params } = request;
  const { id } = await memberOf(deps, request);
  if (id === session.user.id) return { to: OWN };
  const passkey = passkeyNamed(await listPasskeys(actor.tenant, deps.database, id), params.passkey);
  const isRemoved = await removeOfUser(deps, actor.tenant, id, passkey, session.user);
  return { to: `/users/${id}`, notice: notice(isRemoved ? "passkey-removed-of" : "passkey-is-last-of") };
};
