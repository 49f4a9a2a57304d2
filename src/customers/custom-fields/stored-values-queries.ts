import { valuesText } from "../../platform/fields/custom.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { customTables, type CustomNoun } from "./custom-field.ts";

const valuesOf = (noun: CustomNoun) =>
  quickQuery<[id: string]>(
    `stored_values_of_${noun}`,
    `select ${valuesText("k")} from ${customTables[noun]} k where k.tenant_id = $1 and k.id = $2`,
  ).value();

/** The values of custom fields of a row, as valuesText has them; null without any. */
export const storedValues = {
  company: valuesOf("company"),
  contact: valuesOf("contact"),
  invoice: valuesOf("invoice"),
} satisfies Record<CustomNoun, unknown>;
