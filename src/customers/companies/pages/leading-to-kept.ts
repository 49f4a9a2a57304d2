import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { HttpError } from "../../../platform/http/http-error.ts";
import { isId } from "../../../platform/ids.ts";
import type { MergedQueries } from "../merged-queries.ts";

/** The page of a resource. That of one that was merged leads to the one that it went into. */
export function leadingToKept(
  { table, type, merged }: { table: string; type: string; merged?: MergedQueries | undefined },
  show: Page,
): Page {
  return async (deps, request) => {
    try {
      return await show(deps, request);
    } catch (error) {
      const { id = "" } = request.params;
      const isMissing = error instanceof HttpError && error.code === "resource_missing" && isId(id);
      const into = isMissing ? await merged?.into(request.actor.tenant, deps.database, id) : null;
      if (into == null) throw error;
      return { to: `/${table}/${into}`, notice: notice(`${type}-is-merged`) };
    }
  };
}
