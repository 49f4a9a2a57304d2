import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { found, type ApiRequest } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { mergedCompanies, type MergedQueries } from "./merged-queries.ts";

type Noun = { model: string; /** Undefined for a kind that is never merged. */ merged?: MergedQueries | undefined };

export const companyNoun: Noun = { model: "Company", merged: mergedCompanies };

/**
 * The resource of the path. Throws resourceMissing without one, with `X-Merged-Into` for one that was merged.
 */
export async function foundOrMerged<T>(
  { model, merged }: Noun,
  { database }: Deps,
  request: ApiRequest,
  find: (id: string) => Promise<T | null>,
): Promise<T> {
  return await found(model, request, async (id) => {
    const resource = await find(id);
    const into = resource === null ? await merged?.into(request.actor.tenant, database, id) : null;
    if (into != null) throw errors.resourceMissing(model, id, { "x-merged-into": into });
    return resource;
  });
}

/**
 * Restores the resource of the path. One that was merged into another stays: the undo of the merge brings it back.
 * Throws resourceMissing.
 */
export async function restoredOrMerged<T>(
  { model, merged }: Noun,
  { database }: Pick<Deps, "database">,
  request: { actor: Actor; params: ApiRequest["params"] },
  restore: (id: string) => Promise<T | null>,
): Promise<{ restored: T; merge: null } | { merge: string }> {
  return await found(model, request, async (id) => {
    const restored = await restore(id);
    if (restored !== null) return { restored, merge: null };
    const merge = (await merged?.mergeOf(request.actor.tenant, database, id)) ?? null;
    return merge === null ? null : { merge };
  });
}
