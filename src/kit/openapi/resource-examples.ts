import { TENANT_COUNTRY } from "../../platform/fields/fields.ts";
import { groupsOf, ungroupedFields } from "../../platform/fields/grouped-fields.ts";
import { pageJson, parsePage, parseQuery } from "../../platform/http/lists/pagination.ts";
import { UPDATED_AT, type Resource } from "./resource.ts";

type Json = Record<string, unknown>;

/** A create with the required fields only, and one with every field. */
export function createExamples({ fields }: Resource): { minimal: Json; complete: Json } {
  const examplesOf = (chosen: typeof fields) =>
    Object.fromEntries(chosen.map(({ name, example = null }) => [name, example]));
  const groups = [...groupsOf(fields)].map(([group, own]) => [group, examplesOf(own)]);
  const complete = { ...examplesOf(ungroupedFields(fields)), ...(Object.fromEntries(groups) as Json) };
  return { minimal: examplesOf(fields.filter(({ required }) => required)), complete };
}

/** The resource that the complete create makes, in the order of its JSON. */
export function resourceExample(resource: Resource, members = resource.members): Json {
  const readOnly = Object.entries(resource.readOnly).map(([name, { example }]) => [name, example]);
  return pick(members, { ...Object.fromEntries(readOnly), ...createExamples(resource).complete });
}

/** The resource that the minimal create makes: defaults, and null for the rest. */
export function minimalExample(resource: Resource): Json {
  const readOnly = Object.entries(resource.readOnly).map(([name, { example, minimal = example }]) => [name, minimal]);
  const defaults = resource.fields.map(({ name, kind, default: value = null }) => {
    if (kind === "list") return [name, []];
    if (kind === "enums") return [name, JSON.parse(String(value)) as unknown];
    return [name, value === TENANT_COUNTRY ? "Romania" : value];
  });
  const fields = { ...Object.fromEntries(defaults), ...createExamples(resource).minimal };
  return pick(resource.members, { ...Object.fromEntries(readOnly), ...fields });
}

/** The resource after the example of a partial update. */
export function updatedExample(resource: Resource): Json {
  return { ...resourceExample(resource), ...resource.change, updated_at: UPDATED_AT };
}

/** A page as the API itself writes it, with one item, the second of three pages. */
export function pageExample(item: Json, url: string): unknown {
  const query = parseQuery("per_page=1&page=2");
  return JSON.parse(pageJson([JSON.stringify(item)], 3, parsePage(query), url, query));
}

export const CURSOR_EXAMPLE = "k1.mFJ0c3rX2mIhW5Yt8qEKb1sVdPzN4uGx0aRoTg";

export function emptyPageExample(url: string): unknown {
  const query = parseQuery("search=nobody");
  return JSON.parse(pageJson([], 0, parsePage(query), url, query));
}

function pick(names: readonly string[], from: Json): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
