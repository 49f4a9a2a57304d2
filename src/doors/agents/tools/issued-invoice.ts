import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { statusesToSend } from "../../../orders/invoices/invoice.ts";
import { readConnection } from "../../../orders/wms/connection/connection.ts";
import { nameInQuestion, sessionSecrets } from "../confirmation.ts";
import type { AgentSession } from "../session.ts";
import type { Arguments, WritingTool } from "../tool.ts";

/**
 * An invoice of a company that sends automatically becomes an order as soon as it is issued. A key that is confirmed on
 * the page would send it without a person. Other keys do not ask here, as before.
 */
export const asksBeforeGoodsMove: Required<Pick<WritingTool, "asksIf" | "preview">> = {
  async asksIf(session, given) {
    if (!session.confirmsOnPage) return false;
    const before = await invoiceOf(session, given);
    const status = given.status ?? (given.id === undefined ? "issued" : null);
    if (!isToSend(status) || isToSend(before?.status)) return false;
    const company = given.id === undefined ? given.company : before?.company_id;
    const connection = await connectionOf(session, company);
    if (connection?.isConnected !== true) return false;
    const { sendsAutomatically } = (connection.usesWorkspaces ? connection.workspaces : connection) ?? connection;
    return sendsAutomatically;
  },
  async preview(session, given) {
    const before = await invoiceOf(session, given);
    if (given.id !== undefined && before === null) throw errors.resourceMissing("Invoice", `${Number(given.id)}`);
    const id = before?.company_id ?? given.company;
    const company = (await connectionOf(session, id))?.companyName;
    if (company === undefined) throw errors.resourceMissing("Company", `${Number(id)}`);
    const number = given.number ?? before?.number;
    return {
      question: `Issue invoice ${nameInQuestion(number)} of ${nameInQuestion(company)}, and send it to the warehouse?`,
      data: { id, number, company, ...(before !== null && { invoice_id: before.id }) },
      state: before?.edited_at ?? "new",
    };
  },
};

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
