import { errors } from "../../../kit/errors.ts";
import { findInvoice } from "../../../orders/invoices/invoice-queries.ts";
import { invoiceRow } from "../../../orders/invoices/invoice-row.ts";
import { leftOfRow } from "../../../orders/invoices/paid.ts";
import { paymentFields } from "../../../orders/payments/payment.ts";
import { nameInQuestion, sessionSecrets } from "../confirmation.ts";
import { fieldArguments, fieldResults, id, resultSchema } from "../schemas.ts";
import type { JsonObject } from "../session.ts";
import type { WritingTool } from "../tool.ts";

export const recordPaymentTool: WritingTool = {
  name: "record_payment",
  title: "Record a payment of an invoice",
  description:
    "Records what was paid of an invoice; a negative amount is a refund. The invoice becomes paid when its payments reach " +
    "its total. The person is asked first.",
  needs: ["payments:write"],
  writes: { isDestructive: false },
  input: { invoice: id, ...fieldArguments(paymentFields) },
  required: ["invoice", "amount"],
  output: {
    payment: resultSchema({ id, invoice_id: id, ...fieldResults(paymentFields) }),
  },
  async preview(session, args) {
    const { deps, actor } = session;
    const { request_id: _request, confirm: _confirm, ...payment } = args;
    const invoice = String(args.invoice);
    const row = await findInvoice(actor.tenant, deps.database, invoice);
    if (row === null) throw errors.resourceMissing("Invoice", invoice);
    const { number, status, currency, edited_at: version, ...amounts } = invoiceRow(row, sessionSecrets(session));
    if (status === "draft") throw errors.paymentRefused("draft");
    const company = row.at(-1);
    const sum = nameInQuestion([args.amount, currency].filter(Boolean).join(" "));
    return {
      question: `Record a payment of ${sum} for invoice ${nameInQuestion(number)} of ${nameInQuestion(company)}?`,
      data: { ...payment, number, company, status, paid: amounts.paid, left: leftOfRow(amounts), currency },
      version: String(version),
    };
  },
  async run(session, args, deps) {
    const { invoice, ...input } = args;
    const answer = await session.call(deps, "POST /invoices/{invoice}/payments", { params: { invoice }, input });
    const { data: payment } = await session.read<{ data: JsonObject }>(answer);
    return { status: 200, json: JSON.stringify({ payment }) };
  },
};
