import { findMerge } from "../../exchange/merging/stored-merge-queries.ts";
import { undoMerge, type UndoOutcome } from "../../exchange/merging/undo-merge.ts";
import type { Deps } from "../../kit/deps.ts";
import { errors } from "../../kit/errors.ts";
import { trying } from "../../kit/tried-writes.ts";
import { html } from "../../kit/web/html.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { isId } from "../../platform/ids.ts";
import { countsIn, mergeWords } from "./merge-words.ts";

/** GET /merges/{id}/undo: the numbers of records that an undo moves back. */
export const askToUndoMergePage: Page = async (deps, request) => {
  const { id, from } = await mergeOf(deps, request);
  const undone = await undoMerge(trying(deps), request.actor, id);
  if (undone.outcome !== "undone") return refusedPage(request, undone);
  const { language } = request;
  const words = mergeWords[language];
  const title = words.undoTitle(from);
  const { fields = 0, ...rows } = undone.restored;
  const left = countsIn(undone.left, language);
  const main = html`<section class="message"><h1>${title}</h1>
<p>${words.returns(from, countsIn(rows, language))}</p>
${fields > 0 && html`<p>${words.values(fields)}</p>`}${left !== "" && html`<p>${words.left(left)}</p>`}
<form method="post" action="/merges/${id}/undo"><p class="actions"><button class="main">${words.undoIt}</button>
<a class="button" href="/${undone.noun.table}/${undone.keptId}">${shellWords[language].cancel}</a></p></form></section>`;
  return { title, area: "companies", main };
};

/** POST /merges/{id}/undo */
export const undoMergePage: Page = async (deps, request) => {
  const { id } = await mergeOf(deps, request);
  const undone = await undoMerge(deps, request.actor, id);
  if (undone.outcome !== "undone") return refusedPage(request, undone);
  const left = Object.entries(undone.left).map(([kind, count]) => [kind, String(count)]);
  return { to: `/${undone.noun.table}/${undone.fromId}`, notice: notice("merge-undone", Object.fromEntries(left)) };
};

/** The merge in the path, and the name of what went into the other. Throws resourceMissing. */
async function mergeOf({ database }: Deps, { actor, params }: PageRequest): Promise<{ id: string; from: string }> {
  const id = params.id ?? "";
  const merge = isId(id) ? await findMerge(actor.tenant, database, id) : null;
  if (merge === null) throw errors.resourceMissing("Merge", id);
  return { id, from: merge.from };
}

function refusedPage({ language }: PageRequest, refused: Exclude<UndoOutcome, { outcome: "undone" }>): Shown {
  if (refused.outcome === "missing") throw errors.resourceMissing("Merge", "");
  const words = mergeWords[language];
  const title = words.reasons[refused.outcome];
  const way =
    refused.outcome === "merged-later"
      ? html`<a class="button main" href="/merges/${refused.mergeId}/undo">${words.toThat}</a>`
      : refused.outcome === "tax-id-taken"
        ? html`<a class="button" href="/companies/${refused.holder.id}">${refused.holder.name}</a>`
        : html`<a class="button" href="/companies">${words.back}</a>`;
  const main = html`<section class="message" role="alert"><h1>${title}</h1><p class="actions">${way}</p></section>`;
  return { status: 409, title, area: "companies", main };
}
