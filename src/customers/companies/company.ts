import type { Writable } from "../../platform/fields/draft.ts";
import { TEXT_MAX, fieldTable, countryField, phoneField } from "../../platform/fields/fields.ts";

/** The longest name and tax id, in code points. */
export const NAME_MAX = 255;
export const TAX_ID_MAX = 20;

/** The company's writable fields, in the order of docs/contract.md 6.2. */
export const companyFields = fieldTable([
  {
    name: "name",
    kind: "string",
    max: NAME_MAX,
    required: true,
    description: "The company's name, as on its invoices.",
    example: "Transilvania Foods SRL",
  },
  {
    name: "tax_id",
    kind: "string",
    max: TAX_ID_MAX,
    description: "Fiscal id. Unique among the tenant's companies, compared without case.",
    example: "RO18547290",
  },
  {
    name: "registration_number",
    kind: "string",
    max: 30,
    description: "Trade-registry number.",
    example: "J12/1234/2006",
  },
  {
    name: "industry",
    kind: "string",
    max: 100,
    description: "The industry, in your own words.",
    example: "Food distribution",
  },
  {
    name: "website",
    kind: "string",
    max: 255,
    description: "Stored as it was sent; it need not be a URL.",
    example: "https://transilvaniafoods.example",
  },
  phoneField("phone", "+40 264 555 010"),
  {
    name: "email",
    kind: "email",
    max: 255,
    description: "The company's own e-mail address, not that of a person.",
    example: "office@transilvaniafoods.example",
  },
  {
    name: "address",
    kind: "string",
    max: 255,
    description: "Street and number of the head office. Other places are addresses of the company.",
    example: "Strada Fabricii 12",
  },
  { name: "city", kind: "string", max: 100, description: "City of the head office.", example: "Cluj-Napoca" },
  { name: "county", kind: "string", max: 100, description: "County or region of the head office.", example: "Cluj" },
  countryField,
  { name: "postal_code", kind: "string", max: 20, description: "Postal code of the head office.", example: "400632" },
  {
    name: "status",
    kind: "enum",
    values: ["active", "inactive", "prospect", "churned"],
    default: "prospect",
    description: "The state of the business relationship. `churned` is a former customer.",
    example: "active",
  },
  {
    name: "status_code",
    kind: "integer",
    description: "Internal status code inherited from a legacy system.",
    example: 10,
  },
  { name: "assigned_to", kind: "user", description: "Id of an active user of the tenant.", example: 1 },
  {
    name: "notes",
    kind: "string",
    max: TEXT_MAX,
    description: "For your colleagues.",
    example: "Prefers deliveries in the morning.",
  },
  {
    name: "managing_company",
    kind: "string",
    max: 255,
    description: "Name of the company that manages this one.",
    example: "Carpat Holding SA",
  },
  {
    name: "employee_count",
    kind: "integer",
    min: 0,
    max: 2_147_483_647,
    description: "Number of employees.",
    example: 85,
  },
  {
    name: "activity_domain",
    kind: "string",
    max: 255,
    description: "Registered field of activity.",
    example: "Wholesale of food",
  },
  {
    name: "fiscal_address",
    kind: "string",
    max: 255,
    description: "The registered address, in one line.",
    example: "Strada Fabricii 12, Cluj-Napoca",
  },
  {
    name: "delivery_notes",
    kind: "string",
    max: TEXT_MAX,
    description: "For each delivery to the company.",
    example: "Ramp 3, call ahead.",
  },
  {
    name: "callback_date",
    kind: "date",
    description: "The day on which somebody should call the company.",
    example: "2026-12-01",
  },
  {
    name: "payment_days",
    kind: "integer",
    min: 0,
    max: 365,
    within: "terms",
    description: "The days from an invoice's issue until it is due. Null: those of the workspace.",
    example: 45,
  },
  {
    name: "credit_limit",
    kind: "decimal",
    min: 0,
    within: "terms",
    description: "How much the company may owe, in the currency of its invoices. Null: no limit.",
    example: "10000.00",
  },
]);

/** The fields that `search` looks through, whose text the search index holds. */
export const searchedFields: readonly string[] = ["name", "tax_id", "email", "city"];

/** The central entity: contacts, addresses, invoices and the rest belong to one. */
export const company: Writable = { table: "companies", fields: companyFields, external: "company", hasCustom: true };
