import { valuesText } from "../../platform/fields/custom.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { ofEachNoun } from "./custom-field.ts";

/** The values of custom fields of a row, as valuesText has them; null without any. */
export const storedValues = ofEachNoun((noun, table) =>
  quickQuery<[id: string]>(
    `stored_values_of_${noun}`,
    `select ${valuesText("k")} from ${table} k where k.tenant_id = $1 and k.id = $2`,
  ).value(),
);
