import type { Command } from "commander";
import { actingAs } from "../../kit/actor.ts";
import type { Order } from "../../kit/warehouse/warehouse-client.ts";
import { sendSentence } from "../../orders/invoices/wms-error.ts";
import {
  confirm,
  everyCandidate,
  grades,
  hasNoWarehouse,
  isOfGrade,
  type Candidate,
} from "../../orders/wms/confirming/reconfirm.ts";
import { Refusal } from "../../platform/refusal.ts";
import { invoiceNumbered, runsFor, type TenantWork } from "../arguments.ts";
import type { Invocation } from "../run-command.ts";
import { table } from "../table.ts";
import { withWarehouse } from "./with-warehouse.ts";

/** `wms reconfirm` (docs/operations.md 3.2). */
export function registerReconfirm(wms: Command): void {
  const command = wms
    .command("reconfirm")
    .description("Print the warehouses' evidence for links without an instance, and confirm the named ones.")
    .option("--confirm <numbers>", "confirm the links of these invoices, separated by commas")
    .option("--confirm-grade <grade>", "confirm every link of the grade exact; strong: of exact and strong");
  runsFor(command, withWarehouse(reconfirm));
}

const reconfirm: TenantWork = async (deps, tenant, { options, signal }) => {
  const grade = gradeOf(options);
  const numbers = new Set<string>();
  for (const number of options.confirm === undefined ? [] : String(options.confirm).split(",")) {
    numbers.add(await invoiceNumbered(deps, tenant, number));
  }
  const isChosen = (candidate: Candidate) =>
    numbers.has(candidate.link.number) || (grade !== null && isOfGrade(candidate, grade));
  if (deps.warehouse === null) throw new Refusal(sendSentence({ code: "unreachable" }));
  const actor = actingAs("command", tenant);
  const candidates: Candidate[] = [];
  const unconnected: Candidate[] = [];
  const confirmed: string[] = [];
  for await (const page of everyCandidate(deps, tenant.id, signal)) {
    signal.throwIfAborted();
    for (const candidate of page) (hasNoWarehouse(candidate) ? unconnected : candidates).push(candidate);
    for (const { link } of await confirm(deps, actor, page.filter(isChosen))) confirmed.push(link.number);
  }
  signal.throwIfAborted();
  const left = numbers.difference(new Set(confirmed));
  if (left.size > 0) {
    console.error(
      `Not confirmed: ${[...left].join(", ")}. Each needs a link without an instance, a company with a warehouse, and an order that no other invoice has.`,
    );
    process.exitCode = 1;
  }
  const rows = candidates.map(({ link, evidence: { grade, instance, heldBy, failure } }) => {
    const trouble = heldBy === null ? failure && sendSentence(failure) : `The invoice ${heldBy} has this order.`;
    return [link.number, grade, instance, link.orderId, trouble];
  });
  const listed = rows.length === 0 ? "" : `\n${table(["invoice", "grade", "instance", "order", "trouble"], rows)}`;
  return {
    json: {
      candidates: candidates.map(candidateJson),
      confirmed,
      without_warehouse: unconnected.map(({ link }) => ({
        invoice: link.number,
        order_id: link.orderId,
        company_id: Number(link.companyId),
      })),
    },
    text: `Confirmed ${confirmed.length} of ${candidates.length} links.${listed}${unasked(unconnected)}`,
  };
};

/** The links that no warehouse was asked about. */
function unasked(unconnected: readonly Candidate[]): string {
  if (unconnected.length === 0) return "";
  const rows = unconnected.map(({ link }) => [link.number, link.orderId, link.companyId, link.companyName]);
  return `\nCompanies without a warehouse have ${unconnected.length} more. Connect them, then their orders can be looked for.
${table(["invoice", "order", "company", "name"], rows)}`;
}

/** The grade of the confirmation; null: none. */
function gradeOf(options: Invocation["options"]): (typeof grades)[number] | null {
  const grade = grades.find((name) => name === options.confirmGrade);
  if (options.confirmGrade !== undefined && grade === undefined) {
    throw new Refusal(`Only links of the grades ${grades.join(" and ")} are confirmed by grade.`);
  }
  return grade ?? null;
}

function candidateJson({ link, evidence: { grade, instance, order, agrees, others, heldBy, failure } }: Candidate) {
  return {
    invoice: link.number,
    grade,
    instance,
    order_id: link.orderId,
    evidence: {
      ours: { number: link.number, fiscal_id: link.taxId, total: link.total, status: link.status },
      order: order === null ? null : orderJson(order),
      agrees: { pair: agrees.pair, number: agrees.number, fiscal_id: agrees.fiscalId, total: agrees.total },
      others: others.map(orderJson),
      held_by: heldBy,
      error: failure && sendSentence(failure),
    },
  };
}

function orderJson(order: Order) {
  return {
    order_id: order.orderId,
    order_number: order.orderNumber,
    status: order.status,
    external_source: order.externalSource,
    external_order_id: order.externalOrderId,
    invoice_reference: order.invoiceReference,
    client_cui: order.clientCui,
    total: order.total,
  };
}
