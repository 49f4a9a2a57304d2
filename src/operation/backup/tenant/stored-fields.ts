import { activity } from "../../../customers/activities/activity.ts";
import { address } from "../../../customers/addresses/address.ts";
import { plannedCall } from "../../../customers/calls/planned-call.ts";
import { company } from "../../../customers/companies/company.ts";
import { contact } from "../../../customers/contacts/contact.ts";
import { definition } from "../../../customers/custom-fields/custom-field.ts";
import { recordFields, recordKinds } from "../../../customers/records/record.ts";
import { webhook } from "../../../exchange/webhooks/webhook.ts";
import { viewFields } from "../../../kit/tables/view-pages.ts";
import { invoice } from "../../../orders/invoices/invoice.ts";
import { payment } from "../../../orders/payments/payment.ts";
import { promiseFields } from "../../../orders/reminders/promise.ts";
import { warehouseContactFields } from "../../../orders/wms/connection/connection.ts";
import { keyFields } from "../../../people/api-keys/key-specification.ts";
import { passkeyFields } from "../../../people/passkeys/passkey.ts";
import { settingsFields } from "../../../people/single-sign-on/write-settings.ts";
import { workspaceFields } from "../../../people/tenants/tenant.ts";
import { detailFields, LOGO_MAX } from "../../../people/tenants/workspace-details.ts";
import { invitationFields, userFields } from "../../../people/users/user.ts";
import type { Field, FieldTable } from "../../../platform/fields/fields.ts";
import { positionField } from "../../../platform/fields/list-items.ts";

/** More than anything is counted up to, by a margin: a number at its column's limit would fail the next statement. */
const MOST_COUNTED = 1_000_000_000;

/** A suspended tenant, and a deactivated user, get the next one. */
const sessionEpoch: Field = { name: "session_epoch", kind: "integer", min: 0, max: MOST_COUNTED };

/** One statement claims the jobs of all tenants, and raises these numbers. */
const jobFields: FieldTable = ["attempt", "tries"].map((name) => ({
  name,
  kind: "integer",
  min: 0,
  max: MOST_COUNTED,
}));

/** By table, the fields that the rows of a tenant's file must satisfy: those that people and programs write. */
export const storedFields: ReadonlyMap<string, FieldTable> = new Map<string, FieldTable>([
  ["tenants", [...workspaceFields, sessionEpoch]],
  ["users", [...userFields, sessionEpoch]],
  ["invitations", invitationFields],
  ["api_keys", keyFields],
  ["single_sign_on", settingsFields.map(asColumn)],
  [
    "workspace_details",
    [...detailFields, ...warehouseContactFields, { name: "logo", kind: "string", max: Math.ceil(LOGO_MAX / 3) * 4 }],
  ],
  [company.table, [...company.fields, ...warehouseContactFields.map(ofCompany)]],
  ...[contact, address, activity, plannedCall, payment].map(({ table, fields }) => [table, fields] as const),
  ["promises", promiseFields],
  ["list_views", viewFields],
  ["jobs", jobFields],
  ["passkeys", passkeyFields],
  [invoice.table, invoice.fields.map(withPositions)],
  [definition.table, definition.fields.map(withPositions)],
  ...recordKinds.map((kind) => [kind, recordFields] as const),
  // A webhook may have types that a later release no longer knows.
  [webhook.table, webhook.fields.filter(({ kind }) => kind !== "enums")],
  // Liaison makes these texts, or ignores an unknown one where it is read. Their length alone is checked.
  ...[
    "alike_pairs",
    "company_keys",
    "feed",
    "key_uses",
    "last_opened",
    "list_columns",
    "mails",
    "not_alike",
    "reminded",
    "reminders",
    "single_sign_on_links",
    "webhook_deliveries",
    "workspace_warehouses",
  ].map((table) => [table, []] as const),
]);

/** The tables whose rows are not checked, and why. Each may be as long as a line of a backup. */
export const uncheckedTables: ReadonlyMap<string, string> = new Map([
  ["changes", "the history has values that other tables have or had"],
  ["import_changes", "they repeat what a person chose to change"],
  ["import_chunks", "a file to import may have any text; its rows are checked as they are written"],
  ["import_mappings", "they name columns of files, as the files do"],
  ["import_rejections", "they repeat rows of a file"],
  ["import_rows", "they repeat the values before an import"],
  ["imports", "they name columns of files, as the files do"],
  ["kept_answers", "an answer repeats what was stored"],
  ["merges", "they repeat the values before a merge"],
  ["pending_requests", "an assistant's call is checked when a user confirms it"],
]);

/** The person to ask at a company's own warehouse has the limits of the workspace's. */
function ofCompany(field: Field): Field {
  return { ...field, name: "wms_contact" };
}

/** The columns of a single sign-on are named after its fields. */
function asColumn(field: Field): Field {
  return { ...field, name: `sso_${field.name}` };
}

/** A list's items are stored with their positions. */
function withPositions(field: Field): Field {
  return field.items === undefined ? field : { ...field, items: [positionField, ...field.items] };
}
