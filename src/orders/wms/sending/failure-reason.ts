import type { WarehouseFailure } from "../../../kit/warehouse/warehouse-client.ts";
import type { SendReason } from "../../invoices/wms-error.ts";

/** The reason of a failed call. */
export function failureReason(failure: WarehouseFailure): SendReason {
  switch (failure.outcome) {
    case "refused":
      return { code: "refused", words: failure.message };
    case "credentials":
      return { code: "credentials" };
    case "throttled":
      return { code: "throttled" };
    case "missing":
      return { code: "noOrders" };
    case "unsent":
      return { code: "unsent", why: failure.reason };
    case "unknown":
      return {
        code: "unanswered",
        why: failure.reason,
        ...(failure.status !== undefined && { status: failure.status }),
      };
  }
}
