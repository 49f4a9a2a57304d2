import type { Deps } from "../../kit/deps.ts";
import type { ListOf } from "../../kit/tables/list.ts";
import type { Choice } from "../../kit/web/forms/select.ts";
import type { Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { customValues, type CustomTable } from "../../platform/fields/custom.ts";
import { customParameter } from "../../platform/reads/custom-values.ts";
import type { CustomNoun } from "./custom-field.ts";
import { customLabels, customShown, shownValue } from "./custom-inputs.ts";
import { customTable } from "./defined-fields.ts";

/** The most choices of all filters together: those of further fields are typed, so that a page stays small. */
const CHOICES_MAX = 200;

/** The choices of the action that sets a field: the fields by their names. */
export const CUSTOM_CHOICES = "custom";

/**
 * A list of a noun with the workspace's own fields: columns that users can show, and filters.
 * @param metadataOf the stored values of an item
 */
export function withFields<Item>(
  noun: CustomNoun,
  metadataOf: (item: Item) => string | null,
  { isFiltered }: { isFiltered: boolean },
): NonNullable<ListOf<Item>["ofWorkspace"]> {
  return async (list, { database }, { actor }) => {
    const custom = await customTable(actor.tenant, database, noun);
    if (custom.fields.length === 0) return list;
    const columns = custom.fields.map((field) => ({
      name: field.name,
      ...(field.kind === "decimal" ? { kind: "number" as const } : {}),
      isOptional: true as const,
      isMinor: true as const,
      cell: (item: Item, { language }: PageRequest) =>
        customShown(field, customValues(custom, metadataOf(item))[field.name] ?? null, language),
    }));
    const words = (language: Language) => ({
      ...list.words[language],
      labels: { ...list.words[language].labels, ...labelsOf(custom) },
    });
    return {
      ...list,
      words: { en: words("en"), ro: words("ro") },
      columns: [...list.columns, ...columns],
      ...(isFiltered && {
        filters: [
          ...list.filters,
          ...custom.fields.map(({ key }) => ({ name: customParameter(key), isSeldom: true as const })),
        ],
        choices: async (deps: Deps, request: PageRequest) => ({
          ...(await list.choices(deps, request)),
          ...filterChoices(custom, request.language),
          [CUSTOM_CHOICES]: custom.fields.map(({ name, label }) => ({ value: name, label })),
        }),
      }),
    };
  };
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
      return [[customParameter(key), values.map((value) => ({ value, label: shownValue(field, value, language) }))]];
    }),
  );
}
