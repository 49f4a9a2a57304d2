import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { statusesToSend } from "../../../orders/invoices/invoice.ts";
import { readConnection } from "../../../orders/wms/connection/connection.ts";
import { nameInQuestion, sessionSecrets } from "../confirmation.ts";
import type { AgentSession } from "../session.ts";
import type { Arguments, WritingTool } from "../tool.ts";

/**
 * The status paid records a payment of the rest, and an invoice of a company that sends automatically becomes an
 * order once issued. A key that is confirmed on the page would do it without a person. Other keys do not ask here.
 */
export const asksBeforeMoneyOrGoodsMove: Required<Pick<WritingTool, "asksIf" | "preview">> = {
  async asksIf(session, args) {
    if (!session.confirmsOnPage) return false;
    const before = await invoiceOf(session, args);
    return pays(args, before) || (await sends(session, args, before));
  },
  async preview(session, args) {
    const before = await invoiceOf(session, args);
    if (args.id !== undefined && before === null) throw errors.resourceMissing("Invoice", `${Number(args.id)}`);
    const id = before?.company_id ?? args.company;
    const company = (await connectionOf(session, id))?.companyName;
    if (company === undefined) throw errors.resourceMissing("Company", `${Number(id)}`);
    const number = args.number ?? before?.number;
    const isSent = await sends(session, args, before);
    const becomes = pays(args, before) ? (isSent ? "paid_and_sent" : "paid") : "sent";
    return {
      question: questions[becomes](nameInQuestion(number), nameInQuestion(company)),
      data: { id: Number(id), number, company, becomes, ...(before !== null && { invoice_id: Number(before.id) }) },
      version: before?.edited_at ?? "new",
    };
  },
};

const questions = {
  sent: (number: string, company: string) => `Issue invoice ${number} of ${company}, and send it to the warehouse?`,
  paid: (number: string, company: string) => `Mark invoice ${number} of ${company} as paid?`,
  paid_and_sent: (number: string, company: string) =>
    `Mark invoice ${number} of ${company} as paid, and send it to the warehouse?`,
};

type Before = Awaited<ReturnType<typeof invoiceOf>>;

function pays({ status }: Arguments, before: Before): boolean {
  return status === "paid" && before?.status !== "paid";
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
