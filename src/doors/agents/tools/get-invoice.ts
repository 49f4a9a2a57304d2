import { errors } from "../../../kit/errors.ts";
import { lineFields } from "../../../orders/invoices/invoice.ts";
import { fieldResults, id, list, resultSchema, text } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { Arguments, ReadingTool } from "../tool.ts";
import { invoiceSummary } from "./list-invoices.ts";

export const invoiceResult = resultSchema({ ...invoiceSummary, lines: list(resultSchema(fieldResults(lineFields))) }, [
  "id",
]);

export const getInvoiceTool: ReadingTool = {
  name: "get_invoice",
  custom: { noun: "invoice", member: "invoice" },
  title: "Read an invoice",
  description:
    "One invoice by id, or by `company` and `number`, with its lines, its order in the warehouse (`wms`), and the etag " +
    "for writing.",
  needs: ["invoices:read"],
  input: { id, company: id, number: text("Exactly this number.") },
  output: { invoice: invoiceResult, etag: { type: "string" } },
  async run(session, args) {
    const params = { id: await invoiceIdOf(session, args) };
    const answer = await session.call(session.deps, "GET /invoices/{id}", { params });
    const { data } = await session.read(answer);
    return { invoice: data, etag: answer.etag };
  },
};

async function invoiceIdOf(session: AgentSession, args: Arguments): Promise<unknown> {
  const { id: given, company, number } = args as { id?: number; company?: number; number?: string };
  if (given !== undefined) return given;
  if (company === undefined || number === undefined) {
    throw errors.validationFailed({ id: [{ code: "requiredWithout", other: "company or number" }] });
  }
  const route = "GET /companies/{company}/invoices";
  const query = { number, per_page: 1 };
  const answer = await session.call(session.deps, route, { params: { company }, query });
  const [first] = (await session.read<{ data: JsonObject[] }>(answer)).data;
  if (first === undefined) throw errors.resourceMissing("Invoice", number);
  return first.id;
}
