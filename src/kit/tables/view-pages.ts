import { fieldTable } from "../../platform/fields/fields.ts";
import { validate } from "../../platform/fields/validation.ts";
import { parseQuery } from "../../platform/http/lists/pagination.ts";
import type { Deps } from "../deps.ts";
import { found } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../web/forms/field.ts";
import { html, type Html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import type { Language } from "../web/language.ts";
import { messagesIn, type FieldMessages } from "../web/messages.ts";
import { notice, type NoticeWords } from "../web/notice.ts";
import type { Page, PageRequest, Shown } from "../web/page.ts";
import { shellWords } from "../web/shell-words.ts";
import { filtersText, type AnyList } from "./list.ts";
import { deleteView, findView, insertView, MOST_VIEWS, renameView, type OwnView, type View } from "./view-queries.ts";
import { viewLabels, viewWords } from "./view-words.ts";

const nameFields = fieldTable([{ name: "name", kind: "string", max: 60, required: true }]);
const fields = fieldTable([...nameFields, { name: "for", kind: "enum", values: ["me", "all"], default: "me" }]);

/** The longest query string that is kept: every page of the workspace carries it. */
const FILTERS_MAX = 1_000;
/** The fields of a stored view. */
export const viewFields = fieldTable([...nameFields, { name: "filters", kind: "string", max: FILTERS_MAX }]);

/** POST /{list}/views: stores the filters of `filters`, a query string, under a name, for oneself or for all. */
export function saveViewPage(list: AnyList): Page {
  return async ({ database }, request) => {
    const { actor, form, language, session } = request;
    const words = viewWords[language];
    const sent = form.get("filters") ?? "";
    if (sent.length > FILTERS_MAX) return saving(list, request, "", { name: [words.tooLong] });
    const query = parseQuery(sent);
    const filters = list.isMeaningful?.(query) === false ? "" : filtersText(list, query);
    const { values, errors: refused } = validate(fields, form.input(["name", "for"]), "create");
    if (refused !== null) return saving(list, request, filters, messagesIn(language, refused, viewLabels(language)));
    if (filters === "") return saving(list, request, filters, { name: [words.nothing] });
    if (filters.length > FILTERS_MAX) return saving(list, request, filters, { name: [words.tooLong] });
    const [name, isForAll] = [String(values.name), values.for === "all"];
    const outcome = await insertView(actor.tenant, database, {
      list: list.name,
      userId: session.user.id,
      isForAll,
      name,
      filters,
    });
    if (outcome === "written") return { to: listOf(list, filters), notice: notice("view-saved", { name }) };
    const full = words.full(isForAll ? MOST_VIEWS.forAll : MOST_VIEWS.forMe, isForAll);
    return saving(list, request, filters, { name: [outcome === "taken" ? words.taken : full] });
  };
}

/**
 * GET /{list}/views/{id}: the user's own view, or as an admin everybody's, to rename or delete. Another user's is a
 * 404.
 */
export function viewPage(list: AnyList): Page {
  return async (deps, request) => editing(list, request, await viewOfRequest(deps, list, request), null);
}

/** POST /{list}/views/{id} */
export function renameViewPage(list: AnyList): Page {
  return async (deps, request) => {
    const { actor, form, language } = request;
    const view = await viewOfRequest(deps, list, request);
    const { values, errors: refused } = validate(nameFields, form.input(["name"]), "create");
    if (refused !== null) return editing(list, request, view, messagesIn(language, refused, viewLabels(language)));
    const name = String(values.name);
    const outcome = await renameView(actor.tenant, deps.database, ownView(list, request, view.id), name);
    if (outcome === "missing") throw errors.resourceMissing("View", view.id);
    if (outcome === "taken") return editing(list, request, view, { name: [viewWords[language].taken] });
    return { to: listOf(list, view.filters), notice: notice("view-renamed") };
  };
}

/** POST /{list}/views/{id}/delete: leads to its list, which can be saved again. */
export function deleteViewPage(list: AnyList): Page {
  return async ({ database }, request) => {
    const remove = async (id: string) => await deleteView(request.actor.tenant, database, ownView(list, request, id));
    const deleted = await found("View", request, remove);
    return { to: listOf(list, deleted.filters), notice: notice("view-deleted") };
  };
}

/** The lines that the list shows after a view was written. */
export const viewNotices: NoticeWords = {
  "view-saved": ({ name = "" }, language) => html`${viewWords[language].saved(name)}`,
  "view-renamed": (_values, language) => html`${viewWords[language].renamed}`,
  "view-deleted": (_values, language) => html`${viewWords[language].deleted}`,
};

/** The form that saves a list; `values`: its typed values. */
export function savingForm(
  filters: string,
  values: FieldValues,
  refused: FieldMessages | null,
  language: Language,
): Html {
  const words = viewWords[language];
  const shown = {
    values: { for: "me", ...values },
    labels: viewLabels(language),
    errors: refused,
    language,
    choices: {
      for: [
        { value: "me", label: words.forMe },
        { value: "all", label: words.forAll },
      ],
    },
    hints: { name: words.hint },
  };
  return html`<input type="hidden" name="filters" value="${filters}">
${fields.map((field) => fieldRow(field, shown))}`;
}

function saving(list: AnyList, request: PageRequest, filters: string, refused: FieldMessages): Shown {
  const { form, language } = request;
  const title = viewWords[language].saveTitle;
  const values = { name: form.get("name"), for: form.get("for") };
  const main = html`${backTo(list, filters, language)}
<header class="heading"><h1>${title}</h1></header>
${errorSummary(refused, language)}
<form class="record" method="post" action="/${list.name}/views" novalidate>
${savingForm(filters, values, refused, language)}
${formActions(viewWords[language].save, listOf(list, filters), language)}</form>`;
  return { status: 422, title, area: list.name, main };
}

function editing(list: AnyList, { form, language }: PageRequest, view: View, refused: FieldMessages | null): Shown {
  const words = viewWords[language];
  const { id, filters, isForAll } = view;
  const values = { name: form.get("name") ?? view.name };
  const shown = { values, labels: viewLabels(language), errors: refused, language };
  const main = html`${backTo(list, filters, language)}
<header class="heading"><h1>${words.editTitle}</h1>
<details class="menu"><summary class="button">${words.delete}</summary>
<div><p>${isForAll ? words.deleteForAll : words.deleteForMe}</p>
<form method="post" action="/${list.name}/views/${id}/delete"><button class="danger">${words.delete}</button></form></div></details></header>
${errorSummary(refused, language)}
<form class="record" method="post" action="/${list.name}/views/${id}" novalidate>
${nameFields.map((field) => fieldRow(field, shown))}
${formActions(shellWords[language].save, listOf(list, filters), language)}</form>`;
  return { status: refused === null ? 200 : 422, title: words.editTitle, area: list.name, main };
}

function backTo(list: AnyList, filters: string, language: Language): Html {
  return html`<a class="back" href="${listOf(list, filters)}">${icon("back")}${list.words[language].title}</a>`;
}

/** The address of the list that a view has. */
function listOf({ name }: AnyList, filters: string): string {
  return filters === "" ? `/${name}` : `/${name}?${filters}`;
}

async function viewOfRequest({ database }: Deps, list: AnyList, request: PageRequest): Promise<View> {
  const find = async (id: string) => await findView(request.actor.tenant, database, ownView(list, request, id));
  return await found("View", request, find);
}

function ownView({ name }: AnyList, { session: { user } }: PageRequest, id: string): OwnView {
  return { list: name, id, userId: user.id, isAdmin: user.role === "admin" };
}
