import { statusesToSend } from "../invoices/invoice.ts";
import type { SendReason } from "../invoices/wms-error.ts";

type Standing = { state: string; status: string; isConnected: boolean; isOpen?: boolean };

/** Why an invoice cannot be sent; null if it can, or is on its way or there already. */
export function whyNotSent(
  { state, status, isConnected, isOpen = false }: Standing,
  isReachable: boolean,
): SendReason | null {
  if (isOnItsWay(state)) return null;
  if (!isReachable) return { code: "unreachable" };
  if (!isOpen && !statusesToSend.includes(status)) return { code: "status", status };
  return isConnected ? null : { code: "disconnected" };
}

/** Whether an invoice is on its way to the warehouse or there: it is not queued again. */
export function isOnItsWay(state: string): boolean {
  return state !== "not_sent" && state !== "failed";
}
