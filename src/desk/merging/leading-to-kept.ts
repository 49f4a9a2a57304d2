import { mergedCompanies } from "../../customers/companies/merged-queries.ts";
import { contact } from "../../customers/contacts/contact.ts";
import type { Deps } from "../../kit/deps.ts";
import { notice } from "../../kit/web/notice.ts";
import type { PageAnswer, VisitorRequest } from "../../kit/web/page.ts";
import { HttpError } from "../../platform/http/http-error.ts";
import { isId } from "../../platform/ids.ts";

/** The resources that can be merged, by the first part of their pages' addresses. */
const mergeable = new Map([
  ["companies", { type: "company", merged: mergedCompanies }],
  ["contacts", { type: "contact", merged: contact.merged }],
]);

/**
 * The answer of a page. Pages of a company or a contact that was merged lead to the one that it went into. What a form
 * creates for it meanwhile, such as a note, is created for that one; values of a form that edits it are proposed there.
 * Other forms do nothing.
 */
export async function leadingToKept(
  { path, creates, edits }: { path: string; creates?: true; edits?: true },
  { database }: Pick<Deps, "database">,
  visitor: VisitorRequest,
  answer: (visitor: VisitorRequest) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await answer(visitor);
  } catch (error) {
    const [, table = ""] = /^\/(\w+)\/\{id\}/.exec(path) ?? [];
    const noun = mergeable.get(table);
    const { id = "" } = visitor.params;
    const isMissing = error instanceof HttpError && error.code === "resource_missing" && isId(id);
    if (!isMissing || noun === undefined || visitor.session === null) throw error;
    const into = (await noun.merged?.into(visitor.session.tenant, database, id)) ?? null;
    if (into === null) throw error;
    const ofKept = { ...visitor, params: { ...visitor.params, id: into } };
    if (creates === true) return await answer(ofKept);
    if (edits === true) return await answer({ ...ofKept, isOfMerged: true });
    return { to: `/${table}/${into}`, notice: notice(`${noun.type}-is-merged`) };
  }
}
