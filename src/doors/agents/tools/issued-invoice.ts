import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { invoice, statusesToSend } from "../../../orders/invoices/invoice.ts";
import { vatOf } from "../../../orders/invoices/line-totals.ts";
import { readConnection } from "../../../orders/wms/connection/connection.ts";
import { draftOf } from "../../../platform/fields/draft.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { textOrNull } from "../../../platform/fields/validation.ts";
import { beforeSending } from "../before-sending.ts";
import { sessionSecrets } from "../confirmation.ts";
import { invoiceEffectIn, type ChangedInvoice, type InvoiceEffect, type InvoiceTexts } from "../invoice-effects.ts";
import type { AgentSession } from "../session.ts";
import type { Arguments, WritingTool } from "../tool.ts";
import { fieldsOf } from "../write-resource.ts";

/**
 * The status and the total of an invoice record its payments and take them back, and an invoice of a company that sends
 * automatically becomes an order once issued. A key that is confirmed on the page would do it without a person. Other
 * keys do not ask here.
 */
export const asksBeforeMoneyOrGoodsMove: Required<Pick<WritingTool, "asksIf" | "preview">> = {
  async asksIf(session, args) {
    if (!session.confirmsOnPage) return false;
    const before = await invoiceOf(session, args);
    return movesMoney(args, before) || (await sends(session, args, before));
  },
  async preview(session, args) {
    const before = await invoiceOf(session, args);
    if (args.id !== undefined && before === null) throw errors.resourceMissing("Invoice", `${Number(args.id)}`);
    const id = before?.company_id ?? args.company;
    const company = (await connectionOf(session, id))?.companyName;
    if (company === undefined) throw errors.resourceMissing("Company", `${Number(id)}`);
    const isSent = await sends(session, args, before);
    const data: ChangedInvoice = {
      id: Number(id),
      company,
      becomes: effectOf(args, before, isSent),
      ...(before === null ? newInvoice(args) : changedInvoice(args, before)),
    };
    const [question, version] = [`${invoiceEffectIn("en", data)}?`, before?.edited_at ?? "new"];
    if (!isSent) return { question, data, version };
    const { deliver_to, goTo, doubts } = await beforeSending(session, invoiceAfter(args, before));
    return {
      question: [question, goTo, ...doubts].join(" "),
      data: { ...data, deliver_to },
      ...(doubts.length > 0 && { moving: { doubts } }),
      version,
    };
  },
};

type Before = Awaited<ReturnType<typeof invoiceOf>>;
type Stored = NonNullable<Before>;

/** The fields that decide what the payments of an invoice are, and of which currency. */
const MONEY = ["status", "total", "currency"];

function movesMoney(args: Arguments, before: Before): boolean {
  if (args.status === "paid") return true;
  return before !== null && (before.status === "paid" || isPartlyPaid(before)) && MONEY.some((name) => name in args);
}

function isPartlyPaid({ paid }: Stored): boolean {
  return Number(paid ?? 0) !== 0;
}

/** The effect as the trigger of invoices has it (invoices_before_update, step 8). */
function effectOf({ status, total }: Arguments, before: Before, isSent: boolean): InvoiceEffect {
  const paysTotal = status === undefined && total !== undefined && Number(before?.total ?? 0) === 0;
  if (status === "paid" || (paysTotal && before?.status === "paid")) return isSent ? "paid_and_sent" : "paid";
  if (isSent) return "sent";
  if (status === "cancelled") return "cancelled";
  if (status === "draft" || (status === "issued" && before?.status === "paid")) return "unpaid";
  return status === undefined || status === before?.status ? "changed" : "issued";
}

function newInvoice(args: Arguments): InvoiceTexts {
  const { number, total, currency } = args as InvoiceTexts;
  // Numbers become texts, as they are stored.
  const texts = JSON.stringify(args.lines ?? null, (_name, value: unknown) =>
    typeof value === "number" ? String(value) : value,
  );
  return { number, total: total ?? vatOf(texts, textOrNull(currency))?.total, currency };
}

/** The invoice that a call makes of a stored one, or of none. Throws validationFailed. */
export function invoiceAfter(args: Arguments, before: RowByName | null): RowByName {
  const { values, messages } = draftOf(invoice, fieldsOf(args, invoice.fields), before === null ? "create" : "update");
  if (messages !== null) throw errors.validationFailed(messages);
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOrNull(value)]));
  return { ...(before ?? { id: "0", company_id: String(Number(args.company)) }), ...given };
}

function changedInvoice(args: Arguments, before: Stored): InvoiceTexts {
  const { number, total, currency, paid } = before;
  const stored = { number, total, currency };
  const given = args as InvoiceTexts;
  const changed = Object.entries(stored).flatMap(([name, value]) =>
    given[name] === undefined || textOrNull(given[name]) === textOrNull(value) ? [] : [[`new_${name}`, given[name]]],
  );
  return {
    invoice_id: Number(before.id),
    ...stored,
    ...(isPartlyPaid(before) && { paid }),
    ...(Object.fromEntries(changed) as InvoiceTexts),
  };
}
async function sends(session: AgentSession, args: Arguments, before: Before): Promise<boolean> {
  const status = args.status ?? (args.id === undefined ? "issued" : null);
  if (!isToSend(status) || isToSend(before?.status)) return false;
  const company = args.id === undefined ? args.company : before?.company_id;
  const connection = await connectionOf(session, company);
  if (connection?.isConnected !== true) return false;
  const { sendsAutomatically } = (connection.usesWorkspaces ? connection.workspaces : connection) ?? connection;
  return sendsAutomatically;
}

function isToSend(status: unknown): boolean {
  return statusesToSend.some((each) => each === status);
}

async function invoiceOf(session: AgentSession, { id }: Arguments) {
  if (id === undefined) return null;
  const row = await findInvoice(session.actor.tenant, session.deps.database, `${Number(id)}`);
  return row === null ? null : invoiceRow(row, sessionSecrets(session));
}

async function connectionOf({ deps, actor }: AgentSession, company: unknown) {
  return company === undefined ? null : await readConnection(deps, actor, `${Number(company)}`);
}
