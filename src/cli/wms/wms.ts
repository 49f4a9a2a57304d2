import type { Command } from "commander";
import { companyExists } from "../../customers/companies/company-queries.ts";
import type { Deps } from "../../kit/deps.ts";
import { sendSentence } from "../../orders/invoices/wms-error.ts";
import { syncOrders } from "../../orders/wms/following/sync-orders.ts";
import { pushMany, pushOne, redrive } from "../../orders/wms/sending/push-invoices.ts";
import { warehouseStatus } from "../../orders/wms/sending/warehouse-status.ts";
import type { Tenant } from "../../people/tenants/tenant-queries.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../platform/refusal.ts";
import { idArgument, invoiceNumbered, runsFor, type TenantWork } from "../arguments.ts";
import type { Invocation } from "../run-command.ts";
import { table } from "../table.ts";
import { withWarehouse } from "./with-warehouse.ts";
import { registerReconfirm } from "./wms-reconfirm.ts";

/** `wms push`, `wms status`, `wms redrive`, `wms sync`, `wms reconfirm` (docs/operations.md 3.2). */
export function registerWms(program: Command): void {
  const wms = program.command("wms").description("Send invoices to the warehouses, and follow their orders.");
  const push = wms
    .command("push")
    .description("Queue invoices for their companies' warehouses.")
    .option("--invoice <number>", "one invoice")
    .option("--company <id>", "the invoices of a company that were never tried")
    .option("--all", "those of every connected company that were never tried");
  runsFor(push, withWarehouse(pushInvoices));
  const status = wms
    .command("status")
    .description("Print the states of the invoices, and the queue to each warehouse.");
  runsFor(status, showStatus);
  const again = wms
    .command("redrive")
    .description("Queue failed invoices again; those of unknown outcome are looked up first.")
    .option("--invoice <number>", "one invoice (default: all that failed)");
  runsFor(again, withWarehouse(redriveInvoices));
  const sync = wms
    .command("sync")
    .description("Read the followed orders from the warehouses now.")
    .option("--invoice <number>", "one invoice's order (default: all that are followed)");
  runsFor(sync, withWarehouse(syncWarehouses));
  registerReconfirm(wms);
}

const pushInvoices: TenantWork = async (deps, tenant, { options, signal }) => {
  const ways = ["invoice", "company", "all"].filter((name) => options[name] !== undefined);
  if (ways.length !== 1) throw new Refusal("Say which invoices: one of --invoice NUMBER, --company ID and --all.");
  const number = await numberOf(deps, tenant, options);
  const pushed =
    number === null
      ? await pushMany(deps, tenant.id, await companyOf(deps, tenant.id, options), signal)
      : await pushOne(deps, tenant.id, number);
  if (pushed === null) throw new Refusal(`There is no invoice "${number}" any more.`);
  const skipped = pushed.skipped.map(({ number, reason }) => [number, reason]);
  const listed = skipped.length === 0 ? "" : `\nSkipped:\n${table(["invoice", "reason"], skipped)}`;
  return { json: pushed, text: `Queued ${pushed.queued} of ${pushed.queued + skipped.length} invoices.${listed}` };
};

async function companyOf({ database }: Deps, tenant: TenantId, options: Invocation["options"]): Promise<string | null> {
  if (options.company === undefined) return null;
  const id = idArgument("a company", options.company);
  if (!(await companyExists(tenant, database, id))) throw new Refusal(`There is no company ${id}.`);
  return id;
}

const showStatus: TenantWork = async (deps, tenant) => {
  const { states, oldestPendingSeconds, lanes } = await warehouseStatus(deps, tenant.id);
  const json = {
    ...states,
    oldest_pending_seconds: oldestPendingSeconds,
    lanes: lanes.map(({ instance, running, waiting, closedUntil }) => ({
      instance,
      running,
      waiting,
      closed_until: closedUntil,
    })),
  };
  const counts = table(["state", "invoices"], Object.entries(states));
  const queue = lanes.map(({ instance, running, waiting, closedUntil }) => [instance, running, waiting, closedUntil]);
  const queues = lanes.length === 0 ? "" : `\n\n${table(["warehouse", "running", "waiting", "closed until"], queue)}`;
  return { json, text: `${counts}${queues}` };
};

const redriveInvoices: TenantWork = async (deps, tenant, { options, signal }) => {
  const number = await numberOf(deps, tenant, options);
  if (deps.warehouse === null) throw new Refusal(sendSentence({ code: "unreachable" }));
  const queued = await redrive(deps, tenant.id, number, signal);
  return { json: { queued }, text: `Queued ${queued} failed invoices again.` };
};

const syncWarehouses: TenantWork = async (deps, tenant, { options, signal }) => {
  const number = await numberOf(deps, tenant, options);
  const { warehouse } = deps;
  if (warehouse === null) throw new Refusal(sendSentence({ code: "unreachable" }));
  const { checked, changed, missing, failures } = await syncOrders(deps, warehouse, tenant.id, number, signal);
  for (const { companyId, reason } of failures)
    console.error(`The warehouse of company ${companyId}: ${sendSentence(reason)}`);
  if (failures.length > 0) process.exitCode = 1;
  return {
    json: { checked, changed, missing },
    text: `Checked ${checked} orders: ${changed} changed, ${missing} missing.`,
  };
};

/** The number of the requested invoice; null if none is named. */
async function numberOf(deps: Deps, tenant: Tenant, { invoice }: Invocation["options"]): Promise<string | null> {
  return invoice === undefined ? null : await invoiceNumbered(deps, tenant, invoice);
}
