import type { Failure } from "../../warehouse/warehouse-client.ts";

/** Why an invoice waits or failed, for people: `wms.error`. Nothing of a key, a body or a person is in them. */
export const sendErrors = {
  credentials: "The warehouse refused the credentials.",
  disconnected: "The company has no warehouse connection.",
  unreachable: "No warehouse can be reached from this installation.",
  /** @param status other than issued and paid */
  status: (status: string) => `The invoice is ${status === "draft" ? "a draft" : status}.`,
  unknown: "Nobody knows whether the last attempt reached the warehouse; its order is looked up first.",
  gone: "The warehouse no longer has this order.",
  /** @param ids of the orders that the warehouse has of one invoice */
  several: (ids: readonly number[]) => `The warehouse has several orders of this invoice: ${ids.join(", ")}.`,
  movedAway: (instance: string) =>
    `An order may exist at ${instance}, which the company is not connected with any more. Connect it again to look there.`,
  gaveUp: (error: string) => `Given up after 20 attempts. ${error}`,
  of: (failure: Failure): string => {
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
