import type { Deps } from "../deps.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { askable, trim } from "../platform/text.ts";
import { aliveAt } from "../sessions/begin-session.ts";
import { browserIdIn, workspaceIn } from "../sessions/known-browser.ts";
import { newSignInMail } from "../sessions/new-sign-in-mail.ts";
import { accountOfUser } from "../sessions/own-account.ts";
import { insertSession, replaceAwaiting } from "../sessions/session-queries.ts";
import { accountOf, strangersTurn } from "../sessions/subjects.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { isSlug } from "../tenants/tenant.ts";
import { knownTurn } from "../users/password-turns.ts";
import { findByEmail } from "../users/sign-in-queries.ts";
import { EMAIL_MAX } from "../users/user.ts";
import type { Session } from "../web/session.ts";
import type { PasskeyOwner } from "./own-passkeys.ts";
import { reportingPasskey } from "./passkey-mail.ts";
import {
  endingSessions,
  findPasskey,
  notePasskeyUse,
  passkeysOf,
  standingForPasskeys,
  tenantOfPasskey,
  userPasskeys,
} from "./passkey-queries.ts";
import { usingPasskey, type ListedPasskey } from "./passkey-store.ts";
import type { PasskeyDoor } from "./sign-in.ts";

/** A user as the owner of passkeys. */
export function passkeyOwnerOf(deps: Deps, session: Session): PasskeyOwner {
  const { database } = deps;
  const { tenant, id, user, workspace } = session;
  return {
    door: "users",
    session: id,
    account: accountOfUser(database, session),
    name: `${user.email} · ${workspace.slug}`,
    displayName: user.name,
    passkeys: passkeysOf(tenant, database, user.id),
    standing: async (freshSince) =>
      await standingForPasskeys(tenant, database, { user: user.id, session: id }, freshSince),
    reporting: (change) => reportingPasskey(deps, tenant, user.id, change, null),
  };
}

/** Removes a passkey of somebody else who lost the device, and ends that user's sessions; false as for one's own. */
export async function removeOfUser(
  deps: Deps,
  tenant: TenantId,
  user: string,
  passkey: Pick<ListedPasskey, "id" | "name">,
  by: { id: string; name: string },
): Promise<boolean> {
  const change = { from: passkey.name, to: null };
  const alongside = [endingSessions(user), ...reportingPasskey(deps, tenant, user, change, by)];
  return await passkeysOf(tenant, deps.database, user).delete(passkey.id, alongside);
}

/** The users' door. */
export const userPasskeyDoor: PasskeyDoor<Session> = {
  door: "users",
  turnOf({ keyring }, { network, browser }) {
    const workspace = browserIdIn(keyring, browser) === null ? null : workspaceIn(keyring, browser);
    return workspace === null ? strangersTurn("users", network) : knownTurn(workspace);
  },
  named({ database }, named) {
    const slug = trim(named.workspace);
    const email = askable(trim(named.email), EMAIL_MAX);
    if (!isSlug(slug) || email === null) return null;
    return {
      account: accountOf(slug, email),
      async find() {
        const tenant = await findTenant(database, slug);
        const user = tenant === null ? null : await findByEmail(tenant.id, database, email);
        if (tenant === null || user === null) return null;
        return { tenant: tenant.id, passkeys: await passkeysOf(tenant.id, database, user.id).list() };
      },
    };
  },
  async find(deps, { credentialId, userHandle }, named) {
    const { database } = deps;
    const ofHandle = userHandle === null ? null : await tenantOfPasskey(database, credentialId, userHandle);
    const tenant = ofHandle ?? named;
    const passkey = tenant === null ? null : await findPasskey(tenant, database, credentialId);
    if (tenant === null || passkey === null || passkey.isShutOut || !passkey.mayUse) return null;
    const { userId, userEpoch, tenantEpoch, slug, email } = passkey;
    return {
      ...passkey,
      account: accountOf(slug, email),
      turn: knownTurn(slug),
      // The epochs of the passkey's reading see to it that a session begun too late is none (decision 29).
      async begin(answered, from) {
        if (!(await notePasskeyUse(tenant, database, passkey, answered, from.time))) return false;
        const owner = { userId, tenantEpoch, userEpoch, awaitsCode: false, by: { way: "passkey" } } as const;
        const mails = newSignInMail(deps, tenant, userId, from);
        await insertSession(tenant, database, owner, from, aliveAt(from.time), mails);
        return true;
      },
    };
  },
  awaiting(deps, session) {
    const { database } = deps;
    const { id, tenant, user } = session;
    return {
      ...accountOfUser(database, session),
      list: async () => await passkeysOf(tenant, database, user.id).list(),
      async find({ credentialId }) {
        const passkey = await findPasskey(tenant, database, credentialId);
        if (passkey === null || passkey.userId !== user.id || !passkey.mayUse) return null;
        return {
          ...passkey,
          // The challenge ends with the session that it is for.
          async begin({ checked }, from) {
            const using = usingPasskey(userPasskeys, { id: passkey.id, owner: user.id }, checked);
            const mails = newSignInMail(deps, tenant, user.id, from);
            return await replaceAwaiting(tenant, database, id, using, from, mails);
          },
        };
      },
    };
  },
};
