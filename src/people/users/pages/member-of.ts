import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { findMember, type WorkspaceMember } from "../member-queries.ts";

/** The user that the path names. Throws resourceMissing. */
export async function memberOf({ database }: Deps, request: PageRequest): Promise<WorkspaceMember> {
  return await found("User", request, async (id) => await findMember(request.actor.tenant, database, id));
}
