import type { WarehouseFailure } from "../../warehouse/warehouse-client.ts";

/** An invoice by what an order says of it. */
type InvoiceNames = { number: string | null; fiscalId: string | null };

function named({ number, fiscalId }: InvoiceNames): string {
  return `${number ?? "an invoice"} (${fiscalId ?? "no fiscal id"})`;
}

/** The beginning of sendErrors.lostElsewhere. */
export const LOST_ELSEWHERE = "An order of this invoice may have been made before the loss at ";

/** Why an invoice waits or failed, for people: `wms.error`. Nothing of a key, a body or a person is in them. */
export const sendErrors = {
  credentials: "The warehouse refused the credentials.",
  disconnected: "The company has no warehouse connection.",
  unreachable: "No warehouse can be reached from this installation.",
  copied: "It came with a backup of the workspace, and is not sent by itself.",
  /** @param status other than issued and paid */
  status: (status: string) => `The invoice is ${status === "draft" ? "a draft" : status}.`,
  unknown: "Nobody knows whether the last attempt reached the warehouse; its order is looked up first.",
  gone: "The warehouse no longer has this order.",
  /** @param ids of the orders that the warehouse has of one invoice */
  several: (ids: readonly number[]) => `The warehouse has several orders of this invoice: ${ids.join(", ")}.`,
  /** @param theirs the invoice that the order is of, as the warehouse says */
  another: (orderId: number, theirs: InvoiceNames, ours: InvoiceNames) =>
    `The warehouse answered with its order ${orderId} of ${named(theirs)}, but this is ${named(ours)}: it was not linked. Correct the order in the warehouse; or, if another installation sends there under the same source, give this one a LIAISON_WMS_SOURCE of its own. Then send the invoice again.`,
  /** @param number of the invoice that has the order already */
  held: (orderId: number, number: string) =>
    `The warehouse answered with its order ${orderId}, but the invoice ${number} has that order: it was not linked. Find out in the warehouse which of the two it is of, correct the other, and send the invoice again.`,
  /** Of an order that is linked: warehouses may reckon taxes in another way. */
  total: (theirs: string, ours: string) => `The order's total is ${theirs}, the invoice's is ${ours}.`,
  /** Of an order that this database lost: the invoice may have been changed before it was sent, and that is lost too. */
  beforeLoss:
    "The order was made before the loss, and the invoice is as the backup had it: check in the warehouse that lines and total are the same.",
  /** @param instances of the warehouses that the company was connected with before, none of which has a key here */
  lostElsewhere: (instances: readonly string[]) =>
    `${LOST_ELSEWHERE}${instances.join(", ")}, which the company was connected with before. Look for the invoice's number there. If it has an order, connect the company with that warehouse again: the order is linked. If no order of the company is missing here, confirm that on the invoice's page: it is sent then.`,
  movedAway: (instance: string) =>
    `An order may exist at ${instance}, which the company is not connected with any more. Connect it again to look there.`,
  gaveUp: (error: string) => `Given up after 20 attempts. ${error}`,
  of: (failure: WarehouseFailure): string => {
    switch (failure.outcome) {
      case "refused":
        return failure.message;
      case "credentials":
        return sendErrors.credentials;
      case "throttled":
        return "The warehouse asks to wait.";
      case "missing":
        return "The warehouse's address takes no orders (404).";
      case "unsent":
        return `The warehouse cannot be reached (${failure.reason}).`;
      case "unknown":
        return `The warehouse gave no usable answer (${failure.reason}).`;
    }
  },
};
