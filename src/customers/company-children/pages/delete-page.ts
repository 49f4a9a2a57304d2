import { errors } from "../../../kit/errors.ts";
import { html } from "../../../kit/web/html.ts";
import { notice, undoButton, type NoticeWords } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { restoredOrMerged } from "../../companies/found-or-merged.ts";
import { childQueries } from "../child-queries.ts";
import { childOf, type ChildNoun } from "./noun.ts";

/** POST /contacts/{id}/delete and others */
export function deleteChildPage(noun: ChildNoun): Page {
  const { model, table } = noun.child;
  const find = childOf(noun);
  const queries = childQueries(noun.child);
  return async (deps, request) => {
    const { actor } = request;
    const { id, companyId, row } = await find(deps, request);
    const deleted = await queries.delete(actor.tenant, deps.database, id, changedBy(actor), null);
    if (!deleted) throw errors.resourceMissing(model, id);
    return { to: `/companies/${companyId}`, notice: notice(`${table}-deleted`, { id, name: noun.title(row) }) };
  };
}

/**
 * POST /contacts/{id}/restore and others. A child that is not deleted stays unchanged. For one that was merged into
 * another, the undo of the merge is proposed.
 */
export function restoreChildPage({ child }: ChildNoun): Page {
  const { table } = child;
  const queries = childQueries(child);
  return async (deps, request) => {
    const { actor, params } = request;
    const { merge } = await restoredOrMerged(child, deps, request, async (id) => {
      return await queries.restore(actor.tenant, deps.database, id, changedBy(actor));
    });
    if (merge !== null) return { to: `/merges/${merge}/undo` };
    return { to: `/${table}/${params.id}`, notice: notice(`${table}-restored`) };
  };
}

/** Notices after a child was written. */
export function childNotices({ child, words }: ChildNoun): NoticeWords {
  const { table } = child;
  return {
    [`${table}-created`]: (_values, language) => html`${words[language].created}`,
    [`${table}-saved`]: (_values, language) => html`${words[language].saved}`,
    [`${table}-restored`]: (_values, language) => html`${words[language].restored}`,
    [`${table}-deleted`]: ({ id = "", name = "" }, language) =>
      html`${words[language].deleted(name)} ${undoButton(table, id, language)}`,
  };
}
