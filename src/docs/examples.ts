import { pageJson, parsePage, parseQuery } from "../platform/http/pagination.ts";
import { TENANT_COUNTRY } from "../platform/fields/fields.ts";
import type { Noun } from "./nouns.ts";

type Json = Record<string, unknown>;

const CREATED_AT = "2026-11-20T09:15:00.123456Z";
const UPDATED_AT = "2026-11-21T14:02:31.000250Z";

/** A create with the required fields only, and one with every field. */
export function createExamples({ fields }: Noun): { minimal: Json; complete: Json } {
  const examplesOf = (chosen: typeof fields) =>
    Object.fromEntries(chosen.map(({ name, example = null }) => [name, example]));
  return { minimal: examplesOf(fields.filter(({ required }) => required)), complete: examplesOf(fields) };
}

/** The resource that the complete create makes, in the order of its JSON. */
export function resourceExample(noun: Noun, members = noun.members): Json {
  return pick(members, { ...READ_ONLY, ...createExamples(noun).complete });
}

/** The resource that the minimal create makes: defaults, and null for the rest. */
export function minimalExample(noun: Noun): Json {
  const defaults = noun.fields.map(({ name, default: value = null }) => {
    return [name, value === TENANT_COUNTRY ? "Romania" : value];
  });
  const fields = { ...Object.fromEntries(defaults), ...createExamples(noun).minimal };
  return pick(noun.members, { ...READ_ONLY, ...fields, assigned_user: null });
}

/** The resource after the example of a partial update. */
export function updatedExample(noun: Noun): Json {
  return { ...resourceExample(noun), ...noun.change, updated_at: UPDATED_AT };
}

/** A page as the API itself writes it, with one item, the second of three pages where it is not the only one. */
export function pageExample(item: Json, path: string): unknown {
  const query = parseQuery("per_page=1&page=2");
  const url = `https://crm.example.com${path.replace("{company}", "1")}`;
  return JSON.parse(pageJson([JSON.stringify(item)], 3, parsePage(query), url, query));
}

export function emptyPageExample(path: string): unknown {
  const query = parseQuery("search=nobody");
  const url = `https://crm.example.com${path.replace("{company}", "1")}`;
  return JSON.parse(pageJson([], 0, parsePage(query), url, query));
}

/** Correlations with and without what older orders lack (specification 2.3). */
export const wmsOrderPageExample = {
  current_page: 1,
  data: [
    {
      crm_invoice_id: 42,
      crm_invoice_number: "INV-2026-0042",
      company: { id: 1, tax_id: "RO18547290" },
      wms: {
        instance: "transilvania.wms.example",
        order_id: 90_017,
        order_number: "SO-90017",
        status: "shipped",
        synced_at: CREATED_AT,
      },
    },
    {
      crm_invoice_id: 7,
      crm_invoice_number: "INV-2019-0007",
      company: { id: 1, tax_id: "RO18547290" },
      wms: { instance: null, order_id: 311, order_number: "SO-311", status: "delivered", synced_at: null },
    },
  ],
  per_page: 50,
  total: 2,
};

const READ_ONLY: Json = {
  id: 1,
  company_id: 1,
  wms_subdomain: null,
  metadata: null,
  last_contacted_at: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  deleted_at: null,
  full_name: "Ioana Popescu",
  assigned_user: { id: 1, name: "Ana Ionescu" },
  contacts_count: 2,
  addresses_count: 1,
  company: { id: 1, name: "Transilvania Foods SRL" },
};

function pick(names: readonly string[], from: Json): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
