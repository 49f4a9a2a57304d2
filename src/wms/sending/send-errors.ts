import type { SendReason } from "../../invoices/send-reasons.ts";
import type { WarehouseFailure } from "../../warehouse/warehouse-client.ts";

type Of<Code> = Extract<SendReason, { code: Code }>;

/** The beginning of sendErrors.lostElsewhere, as it is stored. */
export const LOST_ELSEWHERE = '{"code":"lostElsewhere",';

/** Why an invoice waits or failed, for people: `wms_error`. */
export const sendErrors = {
  credentials: { code: "credentials" },
  disconnected: { code: "disconnected" },
  unreachable: { code: "unreachable" },
  copied: { code: "copied" },
  unknown: { code: "unknown" },
  gone: { code: "gone" },
  /** @param status other than issued and paid */
  status: (status: string): SendReason => ({ code: "status", status }),
  /** @param ids of the orders that the warehouse has of one invoice */
  several: (ids: readonly number[]): SendReason => ({ code: "several", ids }),
  /** @param theirs the invoice that the order is of, as the warehouse says */
  another: (orderId: number, theirs: Of<"another">["theirs"], ours: Of<"another">["ours"]): SendReason => ({
    code: "another",
    orderId,
    theirs,
    ours,
  }),
  /** @param number of the invoice that has the order already */
  held: (orderId: number, number: string): SendReason => ({ code: "held", orderId, number }),
  total: (theirs: string, ours: string): SendReason => ({ code: "total", theirs, ours }),
  /** @param totals where the order's total is another than the invoice's */
  beforeLoss: (totals: { theirs: string; ours: string } | null): SendReason => ({ code: "beforeLoss", ...totals }),
  /** @param instances of the warehouses that the company was connected with before, none of which has a key here */
  lostElsewhere: (instances: readonly string[]): SendReason => ({ code: "lostElsewhere", instances }),
  movedAway: (instance: string): SendReason => ({ code: "movedAway", instance }),
  gaveUp: (after: SendReason): SendReason => ({ code: "gaveUp", after }),
  of: (failure: WarehouseFailure): SendReason => {
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
        return { code: "unanswered", why: failure.reason };
    }
  },
} as const satisfies Record<string, SendReason | ((...parts: never[]) => SendReason)>;
