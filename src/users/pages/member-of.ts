import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import { isId } from "../../platform/ids.ts";
import type { PageRequest } from "../../web/page.ts";
import { findMember, type Member } from "../member-queries.ts";

/** The user that the path names. Throws resourceMissing. */
export async function memberOf({ database }: Deps, { actor, params }: PageRequest): Promise<Member> {
  const id = params.id ?? "";
  const member = isId(id) ? await findMember(actor.tenant, database, id) : null;
  if (member === null) throw errors.resourceMissing("User", id);
  return member;
}
