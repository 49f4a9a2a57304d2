import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import { errors } from "../../../kit/errors.ts";
import { rowTable } from "../../../kit/tables/rows.ts";
import { shortList } from "../../../kit/tables/short-list.ts";
import { acts, asking, askingAct, dangers, postAct } from "../../../kit/web/asking.ts";
import { emptyState } from "../../../kit/web/empty-state.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { parseTimestamp } from "../../../platform/dates.ts";
import { CUSTOM_FIELDS_WITH_ARCHIVED_MAX } from "../../../platform/fields/custom.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { listItems } from "../../../platform/fields/list-items.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { definitionRow } from "../custom-field-json.ts";
import { countValues, findDefinition, listBriefDefinitions, type BriefDefinition } from "../custom-field-queries.ts";
import { customFieldWords } from "../custom-field-words.ts";
import { customNouns, FIELD_MODEL, type CustomKind, type CustomNoun, type DefinitionOption } from "../custom-field.ts";
import { createDefinition, deleteDefinition, updateDefinition } from "../write-custom-field.ts";
import { definitionForm, definitionInput, typedIn, typedOptions, type FilledDefinition } from "./definition-form.ts";

const LIST = "/workspace/fields";
/** All that there can be. */
const MOST = { page: 1, perPage: customNouns.length * CUSTOM_FIELDS_WITH_ARCHIVED_MAX, offset: 0 };

/** GET /workspace/fields: the fields in use, and the archived ones below. */
export const fieldsPage: Page = async (deps, request) => {
  const { language } = request;
  const words = customFieldWords[language];
  const [used, archived] = await Promise.all([false, true].map(async (each) => await definitions(deps, request, each)));
  const add = { href: `${LIST}/new`, label: words.new };
  const columns = [
    [
      "name",
      words.labels.label,
      ({ label }: BriefDefinition) => label,
      { href: ({ id }: BriefDefinition) => `${LIST}/${id}` },
    ],
    ["text", words.labels.kind, ({ kind }: BriefDefinition) => words.kinds[kind]],
    ["code", words.labels.key, ({ key }: BriefDefinition) => key],
  ] as const;
  const [name, ...others] = columns;
  const ofNoun = ["text", words.labels.noun, ({ noun }: BriefDefinition) => words.nouns[noun]] as const;
  return shortList<BriefDefinition>(request, {
    area: "fields",
    title: words.title,
    add,
    about: html`<p>${words.about}</p>`,
    rows: used ?? [],
    paged: null,
    columns,
    group: ({ noun }) => words.nouns[noun],
    empty: emptyState("workspace", words.empty, [add]),
    below:
      (archived ?? []).length > 0 &&
      html`<section class="section"><header><h2>${words.archivedTitle}</h2></header>${rowTable(archived ?? [], [name, ofNoun, ...others])}</section>`,
  });
};

async function definitions({ database }: Deps, { actor }: PageRequest, archived: boolean): Promise<BriefDefinition[]> {
  return (await listBriefDefinitions(actor.tenant, database, MOST, { nouns: [...customNouns], archived })).rows;
}

/** GET /workspace/fields/new */
export const newFieldPage: Page = async (_deps, request) => newPage(request, null);

/** POST /workspace/fields */
export const createFieldPage: Page = async (deps, request) => {
  const written = await createDefinition(deps, request.actor, definitionInput(request.form, null));
  if (written.outcome === "invalid") return newPage(request, written.messages);
  return { to: LIST, notice: notice("field-saved") };
};

function newPage({ form, language }: PageRequest, wrong: FieldErrors | null): Shown {
  const words = customFieldWords[language];
  const filled: FilledDefinition = { values: typedIn(form), options: [], errors: wrong, version: null };
  const main = html`<header class="heading"><h1>${words.new}</h1></header>
${definitionForm(filled, { action: LIST, submit: words.create, back: LIST }, language)}`;
  return { status: wrong === null ? 200 : 422, title: words.new, area: "fields", main };
}

/** GET /workspace/fields/{id}: the form of a field, and what can be done with it. */
export const showFieldPage: Page = async (deps, request) => {
  const row = await definitionOf(deps, request);
  return page(request, row, { status: 200, values: row, errors: null, version: row.updated_at ?? null });
};

/** POST /workspace/fields/{id} */
export const updateFieldPage: Page = async (deps, request) => {
  const { form, actor } = request;
  const row = await definitionOf(deps, request);
  const version = parseTimestamp(form.get("version") ?? "");
  const expected = version === null ? null : [version];
  const written = await updateDefinition(deps, actor, String(row.id), definitionInput(form, optionsOf(row)), expected);
  if (written.outcome === "written") return { to: LIST, notice: notice("field-saved") };
  if (written.outcome === "missing") throw errors.resourceMissing(FIELD_MODEL, String(row.id));
  const values = { ...row, ...typedIn(form) };
  if (written.outcome === "invalid") {
    const options = typedOptions(form, optionsOf(row));
    return page(request, row, { status: 422, values, options, errors: written.messages, version });
  }
  return page(request, row, { status: 409, values, errors: null, version: row.updated_at ?? null });
};

function page(
  { language }: PageRequest,
  row: RowByName,
  { status, ...filled }: Omit<FilledDefinition, "options"> & { status: 200 | 409 | 422; options?: DefinitionOption[] },
): Shown {
  const words = customFieldWords[language];
  const at = `${LIST}/${row.id}`;
  const isArchived = row.archived === "true";
  const form = definitionForm(
    { options: optionsOf(row), ...filled },
    { action: at, submit: shellWords[language].save, back: LIST },
    language,
  );
  const main = html`<a class="back" href="${LIST}">${icon("back")}${words.title}</a>
<header class="heading"><h1>${row.label}</h1></header>
${status === 409 && html`<div class="error-summary" role="alert"><p>${words.changedMeanwhile}</p></div>`}
<dl class="facts"><dt>${words.labels.noun}</dt><dd>${words.nouns[row.noun as CustomNoun]}</dd>
<dt>${words.labels.kind}</dt><dd>${words.kinds[row.kind as CustomKind]}</dd>
<dt>${words.labels.key}</dt><dd><span class="code">${row.key}</span></dd>
<dt>${words.state}</dt><dd>${isArchived ? words.isArchived : words.inUse}</dd></dl>
${form}
${
  isArchived
    ? html`${acts([postAct(`${at}/restore`, words.bringBack, words.bringBackHint)])}${dangers(language, [askingAct(`${at}/delete`, words.delete, words.deleteHint)])}`
    : acts([postAct(`${at}/archive`, words.archive, words.archiveHint)])
}`;
  return { status, title: row.label ?? "", area: "fields", main };
}

/** POST /workspace/fields/{id}/archive */
export const archiveFieldPage: Page = async (deps, request) => await archiving(deps, request, true);

/** POST /workspace/fields/{id}/restore */
export const restoreFieldPage: Page = async (deps, request) => await archiving(deps, request, false);

async function archiving(deps: Deps, request: PageRequest, archived: boolean) {
  const row = await definitionOf(deps, request);
  const written = await updateDefinition(deps, request.actor, String(row.id), { archived });
  if (written.outcome === "missing") throw errors.resourceMissing(FIELD_MODEL, String(row.id));
  if (written.outcome === "invalid") {
    return page(request, row, { status: 422, values: row, errors: written.messages, version: row.updated_at ?? null });
  }
  return { to: LIST, notice: notice("field-saved") };
}

/** GET /workspace/fields/{id}/delete: asks, with the number of values. */
export const askToDeleteFieldPage: Page = async (deps, request) => {
  const row = await definitionOf(deps, request);
  const words = customFieldWords[request.language];
  const count = await countValues[row.noun as CustomNoun](request.actor.tenant, deps.database, String(row.key));
  return asking(request.language, {
    title: words.deleteTitle(row.label ?? ""),
    area: "fields",
    consequences: [words.deleteText(count)],
    action: `${LIST}/${row.id}/delete`,
    submit: words.delete,
    back: `${LIST}/${row.id}`,
  });
};

/** POST /workspace/fields/{id}/delete */
export const deleteFieldPage: Page = async (deps, request) => {
  const row = await definitionOf(deps, request);
  const { outcome } = await deleteDefinition(deps, request.actor, String(row.id));
  if (outcome === "missing") throw errors.resourceMissing(FIELD_MODEL, String(row.id));
  if (outcome === "deleted") return { to: LIST, notice: notice("field-deleted") };
  return { to: `${LIST}/${row.id}`, notice: notice("field-in-use") };
};

function optionsOf({ options }: RowByName): DefinitionOption[] {
  return listItems(options ?? null) as unknown as DefinitionOption[];
}

async function definitionOf({ database, keyring }: Deps, request: PageRequest): Promise<RowByName> {
  const { tenant } = request.actor;
  const row = await found(FIELD_MODEL, request, async (id) => await findDefinition(tenant, database, id));
  return definitionRow(row, { keyring, tenant });
}
