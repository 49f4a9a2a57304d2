import type { Page } from "../../kit/web/page.ts";
import { noteOpened, type OpenedKind } from "./last-opened-queries.ts";

/**
 * A file of its own: pages of several rooms need it, and each row of pages.ts says so.
 * A page of one thing, which is remembered as what its visitor opened last.
 */
export function remembering(kind: OpenedKind, page: Page): Page {
  return async (deps, request) => {
    const answer = await page(deps, request);
    const { actor, session, params } = request;
    const id = params.id ?? "";
    // The page is shown, so the record exists. Remembering it is only a convenience, so a failure is ignored.
    await noteOpened(actor.tenant, deps.database, session.user.id, `${kind}:${id}`).catch((error: unknown) => {
      deps.logger.warn({ err: error }, "what was opened last was not remembered");
    });
    return answer;
  };
}
