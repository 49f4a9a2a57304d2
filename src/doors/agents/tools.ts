import type { AgentSession } from "./session.ts";
import type { Tool } from "./tool.ts";
import { applyBatchTool } from "./tools/apply-batch.ts";
import { cancelOrderTool } from "./tools/cancel-order.ts";
import { deleteCompanyTool } from "./tools/delete-company.ts";
import { explainOrderTool } from "./tools/explain-order.ts";
import { findTool } from "./tools/find.ts";
import { getCompanyTool } from "./tools/get-company.ts";
import { getContactTool } from "./tools/get-contact.ts";
import { getInvoiceTool } from "./tools/get-invoice.ts";
import { historyTool } from "./tools/history.ts";
import { listInvoicesTool } from "./tools/list-invoices.ts";
import { logActivityTool } from "./tools/log-activity.ts";
import { mergeCompaniesTool } from "./tools/merge-companies.ts";
import { previewBatchTool } from "./tools/preview-batch.ts";
import { recentChangesTool } from "./tools/recent-changes.ts";
import { recordPaymentTool } from "./tools/record-payment.ts";
import { restoreCompanyTool } from "./tools/restore-company.ts";
import { salesReportTool } from "./tools/sales-report.ts";
import { searchCompaniesTool } from "./tools/search-companies.ts";
import { sendInvoiceTool } from "./tools/send-invoice.ts";
import { upsertCompanyTool, upsertContactTool, upsertInvoiceTool } from "./tools/upsert.ts";
import { whoOwesTool } from "./tools/who-owes.ts";
import { whoamiTool } from "./tools/whoami.ts";

/** Every tool of assistants, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  whoamiTool,
  findTool,
  searchCompaniesTool,
  getCompanyTool,
  upsertCompanyTool,
  getContactTool,
  upsertContactTool,
  listInvoicesTool,
  getInvoiceTool,
  upsertInvoiceTool,
  sendInvoiceTool,
  cancelOrderTool,
  recordPaymentTool,
  salesReportTool,
  whoOwesTool,
  explainOrderTool,
  historyTool,
  recentChangesTool,
  logActivityTool,
  previewBatchTool,
  applyBatchTool,
  deleteCompanyTool,
  restoreCompanyTool,
  mergeCompaniesTool,
];

/** Whether a key sees a tool. */
export function isSeen({ needs, anyOf }: Tool, { may }: Pick<AgentSession, "may">): boolean {
  return needs.every(may) && (anyOf === undefined || anyOf.some(may));
}
