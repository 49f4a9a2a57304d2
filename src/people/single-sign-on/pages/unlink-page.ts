import { errors } from "../../../kit/errors.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { isId } from "../../../platform/ids.ts";
import { findMember } from "../../users/member-queries.ts";
import { unlinkUser } from "../admit-queries.ts";

/** POST /users/{id}/single-sign-on/forget: for an address whose owner has another account at the provider now. */
export const unlinkPage: Page = async ({ database }, { actor, params }) => {
  const id = params.id ?? "";
  const member = isId(id) ? await findMember(actor.tenant, database, id) : null;
  if (member === null) throw errors.resourceMissing("User", id);
  const isUnlinked = await unlinkUser(actor.tenant, database, id, changedBy(actor));
  return { to: `/users/${id}`, notice: notice(isUnlinked ? "sso-unlinked" : "sso-was-unlinked") };
};
