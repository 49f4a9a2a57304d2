import { tableOfNoun, type CustomNoun } from "../../customers/custom-fields/custom-field.ts";
import { customField } from "../../customers/custom-fields/defined-fields.ts";
import type { Writable } from "../../platform/fields/draft.ts";
import type { Input } from "../../platform/fields/fields.ts";

const none = { key: "", label: "", help: null, options: [] as { value: string; label: string }[] };

/** A field of each noun, in the words of both languages. */
export const demoFields = [
  {
    ...none,
    noun: "company",
    key: "price_list",
    label: "Price list / Listă de prețuri",
    kind: "choice",
    help: "As agreed for this year. / Conform înțelegerii din acest an.",
    options: [
      { value: "retail", label: "Retail / En detail" },
      { value: "wholesale", label: "Wholesale / En gros" },
      { value: "partner", label: "Partner / Partener" },
    ],
  },
  { ...none, noun: "contact", key: "newsletter", label: "Newsletter", kind: "yes_no" },
  { ...none, noun: "invoice", key: "purchase_order", label: "Purchase order / Comanda clientului", kind: "text" },
] as const;

/** The definitions as creates of them. */
export const definedDemoFields: readonly Input[] = demoFields.map(({ options, ...field }) => ({
  ...field,
  ...(options.length > 0 && { options: options.map((option) => Object.assign({ archived: false }, option)) }),
}));

const valueOf: Readonly<Record<CustomNoun, (index: number) => unknown>> = {
  company: (index) => demoFields[0].options[index % demoFields[0].options.length]?.value,
  contact: (index) => index % 3 !== 1,
  invoice: (index) => (index % 2 === 0 ? `PO-${4_100 + index}` : null),
};

/** A noun with its field of the demo, and the values of the row at this place. */
export function withDemoField(noun: Writable): { noun: Writable; values: (index: number) => Input } {
  const found = demoFields.find((field) => tableOfNoun[field.noun] === noun.table);
  if (found === undefined) return { noun, values: () => ({}) };
  const options = found.options.map((option, at) => ({ position: at + 1, ...option, archived: false }));
  const field = customField(found, () => options);
  return {
    noun: { ...noun, fields: [...noun.fields, field] },
    values: (index) => ({ [field.name]: valueOf[found.noun](index) }),
  };
}
