import { bigint, boolean, customType, date, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const id = (name: string) => bigint(name, { mode: "number" });
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

export const tenants = pgTable("tenants", {
  id: id("id").notNull(),
  slug: text("slug"),
  suspendedAt: moment("suspended_at"),
});

export const apiKeys = pgTable("api_keys", {
  tenantId: id("tenant_id"),
  id: id("id"),
  keyHash: bytea("key_hash"),
  capabilities: text("capabilities").array(),
  expiresAt: moment("expires_at"),
  revokedAt: moment("revoked_at"),
});

export const users = pgTable("users", { tenantId: id("tenant_id"), id: id("id"), name: text("name") });

export const companies = pgTable("companies", {
  tenant_id: id("tenant_id").notNull(),
  id: id("id").notNull().generatedByDefaultAsIdentity(),
  name: text("name").notNull(),
  tax_id: text("tax_id"),
  registration_number: text("registration_number"),
  industry: text("industry"),
  website: text("website"),
  phone: text("phone"),
  email: text("email"),
  address: text("address"),
  city: text("city"),
  county: text("county"),
  country: text("country").notNull(),
  postal_code: text("postal_code"),
  status: text("status").notNull().default("prospect"),
  status_code: id("status_code"),
  assigned_to: id("assigned_to"),
  notes: text("notes"),
  managing_company: text("managing_company"),
  employee_count: integer("employee_count"),
  activity_domain: text("activity_domain"),
  fiscal_address: text("fiscal_address"),
  delivery_notes: text("delivery_notes"),
  callback_date: date("callback_date", { mode: "string" }),
  wms_subdomain: text("wms_subdomain"),
  metadata: jsonb("metadata"),
  created_at: moment("created_at").defaultNow(),
  updated_at: moment("updated_at").defaultNow(),
  deleted_at: moment("deleted_at"),
});

/** What search looks in: a generated column, and the index's. */
export const searched = pgTable("companies", { search_text: text("search_text") }).search_text;

export const contacts = pgTable("contacts", {
  tenant_id: id("tenant_id"),
  id: id("id"),
  company_id: id("company_id"),
  first_name: text("first_name").notNull(),
  last_name: text("last_name").notNull(),
  email: text("email"),
  phone: text("phone"),
  mobile: text("mobile"),
  position: text("position"),
  department: text("department"),
  job_title: text("job_title"),
  is_primary: boolean("is_primary"),
  is_decision_maker: boolean("is_decision_maker"),
  preferred_language: text("preferred_language"),
  notes: text("notes"),
  birth_date: date("birth_date", { mode: "string" }),
  gender: text("gender"),
  timezone: text("timezone"),
  metadata: jsonb("metadata"),
  last_contacted_at: moment("last_contacted_at"),
  created_at: moment("created_at"),
  updated_at: moment("updated_at"),
  deleted_at: moment("deleted_at"),
});

const child = { tenant_id: id("tenant_id"), company_id: id("company_id"), deleted_at: moment("deleted_at") };
export const addresses = pgTable("addresses", child);

export const invoices = pgTable("invoices", {
  tenant_id: id("tenant_id"),
  id: id("id"),
  company_id: id("company_id"),
  number: text("number"),
  wms_instance: text("wms_instance"),
  wms_order_id: id("wms_order_id"),
  wms_order_number: text("wms_order_number"),
  wms_status: text("wms_status"),
  wms_synced_at: moment("wms_synced_at"),
});

const record = { tenant_id: id("tenant_id"), company_id: id("company_id") };
export const blockers = {
  invoices,
  offers: pgTable("offers", record),
  deals: pgTable("deals", record),
  tickets: pgTable("tickets", record),
  subscriptions: pgTable("subscriptions", record),
};
