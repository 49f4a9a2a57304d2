import type { Deps } from "../../kit/deps.ts";
import { found, type ApiRequest } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import type { MergedQueries } from "./merged-queries.ts";

/**
 * The resource of the path. Throws resourceMissing without one, with `X-Merged-Into` for one that was merged.
 * @param merged undefined for a kind that is never merged
 */
export async function foundOrMerged<T>(
  { model, merged }: { model: string; merged?: MergedQueries | undefined },
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
