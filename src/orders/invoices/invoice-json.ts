import { answering } from "../../kit/endpoint.ts";
import { externalIncluded } from "../../kit/external-ids/include-external.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { customJson, METADATA, type WithCustom } from "../../platform/fields/custom.ts";
import { externalMember } from "../../platform/fields/external-ids.ts";
import { membersOf, membersWriter, TIMESTAMPS, type Member } from "../../platform/fields/json.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { invoice } from "./invoice.ts";
import { vatMembers } from "./line-totals.ts";
import { paidMembers } from "./paid.ts";
import { sendReasonOf, sendSentence } from "./wms-error.ts";

const timestamps = TIMESTAMPS.filter(({ name }) => name !== "deleted_at");

/** The members of `wms`. Each column has the member's name with the prefix `wms_`. */
export const wmsMembers: readonly Member[] = [
  { name: "state", kind: "string" },
  { name: "instance", kind: "string" },
  { name: "order_id", kind: "number" },
  { name: "order_number", kind: "string" },
  { name: "status", kind: "string" },
  { name: "synced_at", kind: "timestamp" },
  { name: "error", kind: "string" },
];

/** The delivery that the warehouse received: its JSON, encrypted. Lists leave it out, as they do lines. */
const delivered: Member = { name: "delivered_to", kind: "invoices.delivered_to" };

/** The last change, except those by the warehouse: the version of a single invoice. */
const edited: Member = { name: "edited_at", kind: "timestamp" };

/** The cancelled invoice that an invoice replaces: a member of the answer where there is one. */
const corrects: Member = { name: "corrects_id", kind: "number" };

/** The sum of an invoice's payments. Its `left` is computed. */
const paid: Member = { name: "paid", kind: "string" };

/** Members for pages only: the displayed state (shown-state.ts), and the due day by the terms. */
const shownMembers: readonly Member[] = [
  { name: "wms_shown", kind: "string" },
  { name: "wms_needs_at", kind: "timestamp" },
  { name: "wms_settled_at", kind: "timestamp" },
  { name: "wms_moved_at", kind: "timestamp" },
  { name: "wms_updated_at", kind: "timestamp" },
  edited,
  { name: "wms_put_off_until", kind: "timestamp" },
  { name: "wms_checked_at", kind: "timestamp" },
  { name: "terms_due_on", kind: "string" },
  corrects,
  paid,
  { name: "wms_cancel", kind: "string" },
  { name: "wms_cancel_error", kind: "string" },
];

/** The values of custom fields: a member of the answer where the workspace has fields of invoices. */
const metadata: Member = { name: METADATA, kind: "json" };

const single = shape(true);
const listed = shape(false);

/** The columns of invoiceJson, in its order. */
export const invoiceMembers = membersIn(single);
export const invoiceColumns = namesIn(invoiceMembers);
export const includedInInvoice = externalIncluded(invoiceMembers);
const invoiceState = stateReader(invoiceMembers, edited.name);
export const invoiceAnswer = answering(invoiceJson, invoiceState);
export const invoiceWithCompanyAnswer = answering(invoiceWithCompanyJson, invoiceState);

/** The columns of listedInvoiceJson, without an alias. */
export const listedInvoiceMembers = membersIn(listed);

/** The same columns of a row of a page, which shows no values of custom fields: they can be long. */
export function pageInvoiceColumns(alias: string): string {
  const names = namesIn(listedInvoiceMembers);
  return names.map((name) => (name === METADATA ? `null::jsonb as ${name}` : `${alias}.${name}`)).join(", ");
}

export const includedInListedInvoice = externalIncluded(listedInvoiceMembers);

export type InvoiceSecrets = Secrets & WithCustom;

/** An invoice in responses to POST and PUT. */
export function invoiceJson(row: Row, secrets: InvoiceSecrets): string {
  return `{${body(single, row, secrets)}}`;
}

/** An invoice in lists, without its lines. */
export function listedInvoiceJson(row: Row, secrets: InvoiceSecrets): string {
  return `{${body(listed, row, secrets)}}`;
}

/** A single invoice with `company` {id, name}; the name is the row's last column. */
export function invoiceWithCompanyJson(row: Row, secrets: InvoiceSecrets): string {
  return `{${body(single, row, secrets)},"company":{"id":${row[1]},"name":${JSON.stringify(row.at(-1))}}}`;
}

/**
 * `lines`: the place of the lines; -1 without them. `cancelError`: that of the reason why an order was not cancelled.
 * `others`: members for pages, and for a single invoice only; the last is `metadata`.
 */
type Shape = {
  own: Member[];
  lines: number;
  total: number;
  currency: number;
  write: ReturnType<typeof membersWriter>;
  others: Member[];
  metadata: number;
  cancelError: number;
};

function shape(withLines: boolean): Shape {
  const fields = invoice.fields.filter(({ kind }) => kind !== "list" || withLines);
  const own: Member[] = [
    { name: "id", kind: "number" },
    { name: "company_id", kind: "number" },
    ...membersOf(invoice.table, fields),
  ];
  const placeOf = (wanted: string) => own.findIndex(({ name }) => name === wanted);
  const others = [...shownMembers, ...(withLines ? [delivered] : []), metadata];
  const before = own.length + wmsMembers.length + timestamps.length;
  return {
    own,
    lines: placeOf("lines"),
    total: placeOf("total"),
    currency: placeOf("currency"),
    write: membersWriter(own),
    others,
    metadata: before + others.indexOf(metadata),
    cancelError: before + others.findIndex(({ name }) => name === "wms_cancel_error"),
  };
}

function namesIn(members: readonly Member[]): string[] {
  return members.map(({ name }) => name);
}

function membersIn({ own, others }: Shape): Member[] {
  return [
    ...own,
    ...wmsMembers.map(({ name, kind }) => ({ name: `wms_${name}`, kind })),
    ...timestamps,
    ...others,
    externalMember,
  ];
}

const writeWms = membersWriter(wmsMembers);
const ERROR = wmsMembers.findIndex(({ name }) => name === "error");
const BEFORE_SHOWN = wmsMembers.length + timestamps.length;
const CORRECTS = BEFORE_SHOWN + shownMembers.indexOf(corrects);
const PAID = BEFORE_SHOWN + shownMembers.indexOf(paid);
const writeTimestamps = membersWriter(timestamps);

function body(
  { own, lines, total, currency, write, cancelError, metadata }: Shape,
  row: Row,
  secrets: InvoiceSecrets,
): string {
  const stored = row.slice(own.length);
  const error = stored[ERROR] ?? row[cancelError] ?? null;
  const wms = writeWms(error === null ? stored : stored.with(ERROR, sendSentence(sendReasonOf(error))), secrets);
  const times = writeTimestamps(row.slice(own.length + wmsMembers.length), secrets);
  const vat = lines === -1 ? "" : vatMembers(row[lines] ?? null, row[currency] ?? null);
  const corrected = stored[CORRECTS] ?? null;
  const more = corrected === null ? vat : `${vat},"${corrects.name}":${corrected}`;
  const ofPayments = paidMembers(row[total] ?? null, stored[PAID] ?? null);
  const goods = lines === -1 ? "" : deliveredJson(row, secrets);
  const { custom } = secrets;
  const values = custom.isUsed ? `"${METADATA}":${customJson(custom, row[metadata] ?? null)},` : "";
  return `${write(row, secrets)}${more}${ofPayments},"wms":{${wms}},${goods}${values}${times}`;
}

const DELIVERED = invoiceColumns.indexOf(delivered.name);

function deliveredJson(row: Row, { keyring, tenant }: Secrets): string {
  const stored = row[DELIVERED] ?? null;
  const json = stored === null ? null : keyring.reveal(tenant, "invoices.delivered_to", stored);
  return `"delivered_to":${json},`;
}
