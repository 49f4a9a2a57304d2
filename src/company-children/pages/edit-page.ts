import { changedSince } from "../../changes/meanwhile-queries.ts";
import { reconcile } from "../../changes/reconcile.ts";
import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import { parseTimestamp } from "../../platform/dates.ts";
import { html } from "../../web/html.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageAnswer, PageRequest, Shown } from "../../web/page.ts";
import { shellWords } from "../../web/shell-words.ts";
import { writeChild } from "../write-child.ts";
import { childForm, type ChildForm } from "./form.ts";
import { childOf, type ChildNoun, type FoundChild } from "./noun.ts";
import { childTelling } from "./telling.ts";

/** The part of a form that depends on what came of the last try. */
type Tried = Pick<ChildForm, "values" | "errors" | "version" | "conflict"> & { status: number };

/** GET /contacts/{id}/edit and the like */
export function editChildPage(noun: ChildNoun): Page {
  const find = childOf(noun);
  return async (deps, request) => {
    const found = await find(deps, request);
    const version = found.row.updated_at ?? null;
    return page(noun, request, found, { status: 200, values: found.row, errors: null, version, conflict: null });
  };
}

/**
 * POST /contacts/{id} and the like: the fields that were posted, and no others. `version` is the updated_at that the form was
 * made of: what somebody else changed since in the same fields is not overwritten unknowingly.
 */
export function updateChildPage(noun: ChildNoun): Page {
  const { model, changeType, table, fields } = noun.child;
  const names = fields.map(({ name }) => name);
  const find = childOf(noun);
  const write = writeChild(noun.child);

  async function update(
    deps: Deps,
    request: PageRequest,
    found: FoundChild,
    version: string | null,
  ): Promise<PageAnswer> {
    const { actor, form } = request;
    const expected = version === null ? null : [version];
    const written = await write.update(deps, actor, found.id, form.input(names), expected);
    if (written.outcome === "missing") throw errors.resourceMissing(model, found.id);
    if (written.outcome === "written") return { to: `/${table}/${found.id}`, notice: notice(`${table}-saved`) };
    if (written.outcome === "outdated") return await outdated(deps, request, String(version));
    const values = Object.fromEntries(names.map((name) => [name, form.get(name) ?? found.row[name]]));
    // The version stays the one that the person saw.
    const seen = version ?? found.row.updated_at ?? null;
    return page(noun, request, found, { status: 422, values, errors: written.messages, version: seen, conflict: null });
  }

  /** Somebody else was quicker. Where that was in other fields, nobody is in anybody's way. */
  async function outdated(deps: Deps, request: PageRequest, version: string): Promise<PageAnswer> {
    const { actor, form } = request;
    // Read before the changes: one that comes in between is told now, and once more when it is saved.
    const found = await find(deps, request);
    const seen = found.row.updated_at ?? null;
    const meanwhile = await changedSince(actor.tenant, deps.database, changeType, found.id, version);
    if (!names.some((name) => form.has(name) && meanwhile.has(name))) return await update(deps, request, found, seen);
    const conflict = reconcile(fields, form, found.row, meanwhile, childTelling(noun, request));
    return page(noun, request, found, { status: 409, values: conflict.values, errors: null, version: seen, conflict });
  }

  return async (deps, request) => {
    const version = parseTimestamp(request.form.get("version") ?? "");
    return await update(deps, request, await find(deps, request), version);
  };
}

function page(noun: ChildNoun, { language }: PageRequest, { row, id }: FoundChild, { status, ...tried }: Tried): Shown {
  const title = shellWords[language].editTitle(noun.title(row));
  const action = `/${noun.child.table}/${id}`;
  const main = html`<header class="heading"><h1>${title}</h1></header>
${childForm(noun, { ...tried, action, back: action, submit: shellWords[language].save, language })}`;
  return { status, title, area: "companies", main };
}
