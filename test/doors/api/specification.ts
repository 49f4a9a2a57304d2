/**
 * The field tables of docs/contract.md 6.2, 7.2, 8.2, 14.2 and 14.3, written down a second time and on purpose:
 * a wrong limit in the program's own field tables must not pass because the tests read it from there.
 */
export type SpecifiedField = {
  name: string;
  /** `user` is the id of another resource, which must exist. */
  type: "string" | "text" | "email" | "integer" | "user" | "boolean" | "date" | "decimal" | "enum";
  max?: number;
  min?: number;
  values?: string[];
  /** Decimal only: the most digits behind the point. */
  places?: number;
  required?: true;
  /** Of a line: answered only where it has a value. */
  sparse?: true;
  /** What a POST without the field answers; null where not given. */
  default?: string | boolean;
};

const string = (name: string, max: number): SpecifiedField => ({ name, type: "string", max });
const text = (name: string): SpecifiedField => ({ name, type: "text", max: 65_535 });

export const company: SpecifiedField[] = [
  { ...string("name", 255), required: true },
  string("tax_id", 20),
  string("registration_number", 30),
  string("industry", 100),
  string("website", 255),
  string("phone", 30),
  { name: "email", type: "email", max: 255 },
  string("address", 255),
  string("city", 100),
  string("county", 100),
  { ...string("country", 100), default: "Romania" },
  string("postal_code", 20),
  { name: "status", type: "enum", values: ["active", "inactive", "prospect", "churned"], default: "prospect" },
  { name: "status_code", type: "integer" },
  { name: "assigned_to", type: "user" },
  text("notes"),
  string("managing_company", 255),
  { name: "employee_count", type: "integer", min: 0, max: 2_147_483_647 },
  string("activity_domain", 255),
  string("fiscal_address", 255),
  text("delivery_notes"),
  { name: "callback_date", type: "date" },
];

export const contact: SpecifiedField[] = [
  { ...string("first_name", 100), required: true },
  { ...string("last_name", 100), required: true },
  { name: "email", type: "email", max: 255 },
  string("phone", 30),
  string("mobile", 30),
  string("position", 100),
  string("department", 100),
  string("job_title", 255),
  { name: "is_primary", type: "boolean", default: false },
  { name: "is_decision_maker", type: "boolean", default: false },
  { ...string("preferred_language", 10), default: "ro" },
  text("notes"),
  { name: "birth_date", type: "date" },
  string("gender", 20),
  string("timezone", 64),
];

export const address: SpecifiedField[] = [
  { name: "type", type: "enum", values: ["fiscal", "billing", "delivery", "office", "other"], default: "other" },
  string("label", 100),
  { ...string("address", 255), required: true },
  string("city", 100),
  string("county", 100),
  { ...string("country", 100), default: "Romania" },
  string("postal_code", 20),
  string("contact_name", 255),
  string("phone", 30),
  text("delivery_notes"),
  { name: "is_default", type: "boolean", default: false },
];

/** But for its lines. */
export const invoice: SpecifiedField[] = [
  { ...string("number", 255), required: true },
  { name: "issued_on", type: "date" },
  { name: "due_on", type: "date" },
  { name: "total", type: "decimal" },
  string("currency", 10),
  { name: "status", type: "enum", values: ["draft", "issued", "paid", "cancelled"], default: "issued" },
  { name: "delivery_address_id", type: "user" },
];

export const line: SpecifiedField[] = [
  string("sku", 100),
  { ...string("description", 255), required: true },
  { name: "quantity", type: "decimal", required: true },
  { name: "unit_price", type: "decimal", required: true },
  { ...string("unit", 20), sparse: true },
  { name: "vat_rate", type: "decimal", min: 0, max: 100, places: 2, sparse: true },
];

/** The members of one resource's JSON that no client writes; of an invoice, the lines too. */
export const readOnlyMembers = {
  company: ["id", "created_at", "updated_at", "deleted_at", "metadata", "wms_subdomain", "assigned_user"],
  contact: ["id", "company_id", "metadata", "last_contacted_at", "created_at", "updated_at", "deleted_at", "full_name"],
  address: ["id", "company_id", "created_at", "updated_at", "deleted_at"],
  invoice: ["id", "company_id", "lines", "wms", "delivered_to", "created_at", "updated_at"],
};

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
