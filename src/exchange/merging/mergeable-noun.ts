import { noteCounted } from "../../customers/companies/company-count-queries.ts";
import { findCompanyRow } from "../../customers/companies/company-queries.ts";
import { companyFields } from "../../customers/companies/company.ts";
import { forgetFormerTaxIds } from "../../customers/companies/former-tax-id-queries.ts";
import { ofLiveCompany } from "../../customers/companies/live-company-queries.ts";
import { noteWritten } from "../../customers/companies/search-index-queries.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { recordKinds } from "../../customers/records/record.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import type { Step } from "../../platform/postgres/query.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { mergeQueries, type MergeableTable, type MergeQueries, type Move, type Whole } from "./merge-queries.ts";
import { findContactRow, countPayments, moveReminders, storeMovedCalls } from "./mergeable-noun-queries.ts";

/** A noun of which two can be merged: companies, and contacts of one company. */
export type MergeableNoun = {
  type: MergeableTable["type"];
  model: "Company" | "Contact";
  table: MergeableTable["table"];
  fields: FieldTable;
  queries: MergeQueries;
  /** The tables whose rows move. */
  moved: readonly string[];
  /** The kinds of moved rows that it has. */
  counted: readonly CountedKind[];
  nameOf(values: Whole["values"]): string;
  /** The row that its JSON is written from. */
  findRow: Step<[id: string], Row | null>;
  /** The number of rows that belong to it by their invoices. */
  countFollowing(run: Run, id: string): Promise<Record<string, number>>;
  /** Moves what follows the moved rows. */
  follow(run: Run, move: Move, isUndo: boolean): Promise<void>;
  /** For the caches: two have changed. */
  noteChanged(tenant: TenantId, database: Database): void;
};

const companyKinds = ["contacts", "addresses", "invoices", "activities", "planned_calls", ...recordKinds] as const;

/** A kind of rows whose numbers are answered. */
export type CountedKind = (typeof companyKinds)[number] | "payments";

const companyTable: MergeableTable = {
  type: "company",
  table: "companies",
  fields: companyFields,
  link: "company_id",
  // Payments follow their invoices (invoices_after_update).
  moved: [...companyKinds, "promises"],
  isLive: "k.deleted_at is null",
  parent: "null",
};

export const mergeableCompany: MergeableNoun = {
  ...companyTable,
  model: "Company",
  queries: mergeQueries(companyTable),
  counted: [...companyKinds, "payments"],
  nameOf: ({ name }) => name ?? "",
  findRow: findCompanyRow,
  countFollowing: async (run, id) => ({ payments: await countPayments(run, id) }),
  async follow(run, move, isUndo) {
    await moveReminders(run, move.from, move.to);
    await storeMovedCalls(run, move.to, move.by);
    if (isUndo) await storeMovedCalls(run, move.from, move.by);
  },
  // The search index and the counts have lists to shorten, and former fiscal ids are others.
  noteChanged(tenant, database) {
    forgetFormerTaxIds(tenant, database);
    noteWritten(database, {}, 2);
    noteCounted(tenant, database, 2);
  },
};

const contactTable: MergeableTable = {
  type: "contact",
  table: "contacts",
  fields: contact.fields,
  link: "contact_id",
  moved: ["activities", "planned_calls", "reminders"],
  isLive: `k.deleted_at is null and ${ofLiveCompany("k")}`,
  parent: "k.company_id",
};

export const mergeableContact: MergeableNoun = {
  ...contactTable,
  model: "Contact",
  queries: mergeQueries(contactTable),
  counted: ["activities", "planned_calls"],
  nameOf: ({ first_name: first, last_name: last }) => `${first} ${last}`,
  findRow: findContactRow,
  countFollowing: async () => await Promise.resolve({}),
  async follow() {},
  noteChanged() {},
};

export const mergeableNouns = { company: mergeableCompany, contact: mergeableContact };
