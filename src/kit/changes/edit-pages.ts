import { parseTimestamp } from "../../platform/dates.ts";
import { NO_CUSTOM_FIELDS, type CustomTable } from "../../platform/fields/custom.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { FieldTable, Input } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { errors } from "../errors.ts";
import { inControl } from "../web/forms/field.ts";
import type { Form } from "../web/forms/form.ts";
import type { ReadInput } from "../web/forms/typed.ts";
import type { Language } from "../web/language.ts";
import type { Page, PageAnswer, PageRequest, Redirected, Shown } from "../web/page.ts";
import type { Wording } from "./change-words.ts";
import type { ChangeType } from "./change.ts";
import type { Difference } from "./differences.ts";
import { changedSince } from "./meanwhile-queries.ts";
import { reconcile, reconcileMerged } from "./reconcile.ts";
import type { Filled, NamedHolder } from "./record-form.ts";

type EditOutcome =
  | { outcome: "written" }
  | { outcome: "missing" }
  | { outcome: "outdated" }
  | { outcome: "invalid"; messages: FieldErrors }
  /** The changes are refused with the resource as it is now. */
  | { outcome: "sent" }
  | { outcome: "tax-id-taken" | "number-taken"; holder: NamedHolder };

/** A kind of resource with an edit form. */
export type Edited = {
  type: ChangeType;
  model: string;
  fields: FieldTable;
  /** The custom fields of the noun. */
  custom?: (deps: Deps, request: PageRequest) => Promise<CustomTable>;
  /** Finds the resource in the path. Throws resourceMissing. */
  find: (deps: Deps, request: PageRequest) => Promise<RowByName>;
  /** Only the posted fields, read in the page's language. */
  input: (form: Form, row: RowByName, language: Language, custom: CustomTable) => ReadInput;
  /** The member with the version of a row; `updated_at` by default. */
  version?: string;
  /** The posted form with values in the API's format, to compare them with stored ones; by default as posted. */
  compared?: (form: Form, language: Language) => Form;
  update: (deps: Deps, actor: Actor, id: string, input: Input, expected: Expected) => Promise<EditOutcome>;
  wording: (deps: Deps, request: PageRequest, meanwhile: readonly Difference[]) => Promise<Wording>;
  page: (deps: Deps, request: PageRequest, row: RowByName, form: Filled & { status: number }) => Promise<Shown>;
  saved: (id: string, form: Form) => Redirected;
};

/**
 * The page with the form, and its POST target. `version` is that of the row when the form was opened: changes stored
 * since in the same fields cause a conflict.
 */
export function editPages({ type, model, ...noun }: Edited): { editPage: Page; updatePage: Page } {
  const untried = { errors: null, holder: null, conflict: null };
  const customOf = noun.custom ?? (async () => NO_CUSTOM_FIELDS);
  const versionOf = (row: RowByName) => row[noun.version ?? "updated_at"] ?? null;

  async function update(deps: Deps, request: PageRequest, row: RowByName, version: string | null): Promise<PageAnswer> {
    const { actor, form, language } = request;
    const id = String(row.id);
    const custom = await customOf(deps, request);
    const fields = [...noun.fields, ...custom.fields];
    const { input, errors: unclear } = noun.input(asStored(form, fields, row), row, language, custom);
    const written: EditOutcome =
      unclear === null
        ? await noun.update(deps, actor, id, input, version === null ? null : [version])
        : { outcome: "invalid", messages: unclear };
    if (written.outcome === "missing") throw errors.resourceMissing(model, id);
    if (written.outcome === "written") return noun.saved(id, form);
    if (written.outcome === "outdated") return await outdated(deps, request, String(version));
    const typed = {
      ...untried,
      values: Object.fromEntries(fields.map(({ name }) => [name, form.get(name) ?? row[name]])),
      // The version that the person saw is kept.
      version: version ?? versionOf(row),
    };
    if (written.outcome === "sent") return await noun.page(deps, request, row, { ...typed, status: 409 });
    const reason = written.outcome === "invalid" ? { errors: written.messages } : { holder: written.holder };
    return await noun.page(deps, request, row, { ...typed, ...reason, status: 422 });
  }

  /** The resource has changed since the form was opened. Changes of other fields are no conflict. */
  async function outdated(deps: Deps, request: PageRequest, version: string): Promise<PageAnswer> {
    const { actor, language } = request;
    const form = noun.compared?.(request.form, language) ?? request.form;
    // Read before the changes: a change in between is reported now, and again on the next save.
    const row = await noun.find(deps, request);
    const seen = versionOf(row);
    const meanwhile = await changedSince(actor.tenant, deps.database, type, String(row.id), version);
    const fields = [...noun.fields, ...(await customOf(deps, request)).fields];
    if (!fields.some(({ name }) => form.has(name) && meanwhile.has(name)))
      return await update(deps, request, row, seen);
    const wording = await noun.wording(deps, request, [...meanwhile.values()]);
    const conflict = reconcile(fields, form, row, meanwhile, wording);
    return await noun.page(deps, request, row, {
      ...untried,
      status: 409,
      values: conflict.values,
      version: seen,
      conflict,
    });
  }

  /** The row was merged into this one since its form was opened. */
  async function merged(deps: Deps, request: PageRequest, row: RowByName): Promise<PageAnswer> {
    const form = noun.compared?.(request.form, request.language) ?? request.form;
    const fields = [...noun.fields, ...(await customOf(deps, request)).fields];
    const conflict = reconcileMerged(fields, form, row, await noun.wording(deps, request, []));
    const { values } = conflict;
    return await noun.page(deps, request, row, { ...untried, status: 409, values, version: versionOf(row), conflict });
  }

  return {
    async editPage(deps, request) {
      const row = await noun.find(deps, request);
      const version = versionOf(row);
      return await noun.page(deps, request, row, { ...untried, status: 200, values: row, version });
    },
    async updatePage(deps, request) {
      const version = parseTimestamp(request.form.get("version") ?? "");
      const row = await noun.find(deps, request);
      return request.isOfMerged === true ? await merged(deps, request, row) : await update(deps, request, row, version);
    },
  };
}

/** A form with the stored texts, where it has only other line breaks: a control cannot post all of them. */
function asStored(form: Form, fields: FieldTable, row: RowByName): Form {
  const unchanged = new Map(
    fields.flatMap((field) => {
      const [typed, stored] = [form.get(field.name), row[field.name] ?? null];
      const isSame = typed !== undefined && stored !== null && inControl(field, typed) === inControl(field, stored);
      return isSame ? [[field.name, stored] as const] : [];
    }),
  );
  return {
    ...form,
    get: (name) => unchanged.get(name) ?? form.get(name),
    input: (names) =>
      Object.fromEntries(
        Object.entries(form.input(names)).map(([name, typed]) => [name, unchanged.get(name) ?? typed]),
      ),
  };
}
