import { TEXT_MAX, fieldTable, countryField, phoneField } from "../../platform/fields/fields.ts";
import type { Child } from "../company-children/child.ts";

/** The address's writable fields, in the order of docs/contract.md 8.2. */
export const addressFields = fieldTable([
  {
    name: "type",
    kind: "enum",
    values: ["fiscal", "billing", "delivery", "office", "other"],
    default: "other",
    description: "What the address is for.",
    example: "delivery",
  },
  {
    name: "label",
    kind: "string",
    max: 100,
    description: 'A short name for people, such as "Main warehouse".',
    example: "Main warehouse",
  },
  {
    name: "address",
    kind: "string",
    max: 255,
    required: true,
    description: "Street and number.",
    example: "Strada Depozitelor 4",
  },
  { name: "city", kind: "string", max: 100, description: "City.", example: "Turda" },
  { name: "county", kind: "string", max: 100, description: "County or region.", example: "Cluj" },
  countryField,
  { name: "postal_code", kind: "string", max: 20, description: "Postal code.", example: "401105" },
  {
    name: "contact_name",
    kind: "string",
    max: 255,
    description: "The person to ask for at this address.",
    example: "Radu Ilie",
  },
  phoneField("phone", "+40 264 555 020"),
  {
    name: "delivery_notes",
    kind: "string",
    max: TEXT_MAX,
    description: "For each delivery to this address.",
    example: "Ramp 3, call ahead.",
  },
  {
    name: "is_default",
    kind: "boolean",
    default: false,
    description: "Not exclusive: a company may have several default addresses.",
    example: true,
  },
]);

export const address: Child = {
  model: "Address",
  table: "addresses",
  external: "address",
  changeType: "address",
  fields: addressFields,
  readOnly: [],
  computed: null,
  searched: ["label", "address", "city"],
  exact: {},
  order: [
    { sql: "k.is_default", beginning: "true", isDescending: true },
    { sql: "k.id", beginning: "0" },
  ],
};
