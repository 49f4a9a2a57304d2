import type { Deps } from "../../kit/deps.ts";
import type { ListOf } from "../../kit/tables/list.ts";
import type { Choice } from "../../kit/web/forms/select.ts";
import type { Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { customValues, type CustomTable } from "../../platform/fields/custom.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { customParameter, isCustomParameter, parseCustom } from "../../platform/reads/custom-values.ts";
import { shownValues } from "./custom-field-queries.ts";
import { customFieldWords } from "./custom-field-words.ts";
import type { CustomNoun } from "./custom-field.ts";
import { customContent, customLabels, customText, sentValue } from "./custom-inputs.ts";
import { customTable } from "./defined-fields.ts";

/** The most choices of all filters together: those of further fields are typed, so that a page stays small. */
const CHOICES_MAX = 200;

/** The choices of the action that sets a field: the fields by their names. */
export const CUSTOM_CHOICES = "custom";

/** A list of a noun with the workspace's own fields: columns that users can show, and filters. */
export function withFields<Item extends object>(
  noun: CustomNoun,
  idOf: (item: Item) => string,
): NonNullable<ListOf<Item>["ofWorkspace"]> {
  return async (list, { database }, { actor: { tenant }, query }) => {
    const custom = await customTable(tenant, database, noun);
    const gone = goneIn(custom, query);
    if (custom.fields.length === 0 && gone.length === 0) return list;
    const valuesOf = new WeakMap<Item, Record<string, string | null>>();
    const columns = custom.fields.map((field) => ({
      name: field.name,
      ...(field.kind === "decimal" ? { kind: "number" as const } : {}),
      isOptional: true as const,
      isMinor: true as const,
      cell: (item: Item, { language }: PageRequest) =>
        customContent(field, valuesOf.get(item)?.[field.name] ?? null, language),
    }));
    const words = (language: Language) => ({
      ...list.words[language],
      labels: { ...list.words[language].labels, ...labelsOf(custom), ...labelsOfGone(gone, language) },
    });
    return {
      ...list,
      words: { en: words("en"), ro: words("ro") },
      columns: [...list.columns, ...columns],
      filters: [
        ...list.filters,
        ...custom.fields.map(({ key }) => ({ name: customParameter(key), isSeldom: true as const })),
        ...gone.map((name) => ({ name, isSeldom: true as const })),
      ],
      choices: async (deps, request) => ({
        ...(await list.choices(deps, request)),
        ...filterChoices(custom, request.language),
        [CUSTOM_CHOICES]: custom.fields.map(({ name, label }) => ({ value: name, label })),
      }),
      async read(deps, request, shown) {
        const found = await list.read(deps, request, shown);
        const keys = custom.fields.flatMap(({ name, key }) => (shown.has(name) ? [key] : []));
        const ids = keys.length === 0 ? [] : found.items.map(idOf);
        const stored = ids.length === 0 ? [] : await shownValues[noun](tenant, database, ids, keys);
        const byId = new Map(stored);
        for (const item of found.items) {
          const own = byId.get(idOf(item));
          if (own !== undefined) valuesOf.set(item, customValues(custom, own));
        }
        return found;
      },
    };
  };
}

/**
 * The values that a page's query asks for, as people type them, as JSON: null if there are none, undefined if they can
 * match nothing. Nothing has a value of a field that is gone: an older view, page or address must not stand for all
 * rows.
 */
export async function askedValues(
  { database }: Pick<Deps, "database">,
  { actor: { tenant }, language }: PageRequest,
  noun: CustomNoun,
  query: Query,
): Promise<string | null | undefined> {
  if (!query.names().some(isCustomParameter)) return null;
  const custom = await customTable(tenant, database, noun);
  const { value, matchesNothing, unknown } = parseCustom(custom, query, (field, text) =>
    sentValue(field, text, language),
  );
  return matchesNothing || unknown.length > 0 ? undefined : value;
}

/** The query's filters by fields that are archived or deleted. */
function goneIn({ fields }: CustomTable, query: Query): string[] {
  const known = new Set(fields.map(({ key }) => customParameter(key)));
  return query.names().filter((name) => isCustomParameter(name) && !known.has(name));
}

function labelsOfGone(names: readonly string[], language: Language): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, customFieldWords[language].goneFilter(name)]));
}

/** The labels of columns and of filters. */
function labelsOf(custom: CustomTable): Record<string, string> {
  const filters = custom.fields.map(({ key, label }) => [customParameter(key), label]);
  return { ...customLabels(custom), ...Object.fromEntries(filters) };
}

function filterChoices({ fields }: CustomTable, language: Language): Record<string, readonly Choice[]> {
  let offered = 0;
  return Object.fromEntries(
    fields.flatMap((field): [string, readonly Choice[]][] => {
      const { key, kind, options } = field;
      const values = kind === "boolean" ? ["true", "false"] : options.map(({ value }) => value);
      if (values.length === 0 || offered + values.length > CHOICES_MAX) return [];
      offered += values.length;
      return [[customParameter(key), values.map((value) => ({ value, label: customText(field, value, language) }))]];
    }),
  );
}
