import type { ServerResponse } from "node:http";
import type { Caller } from "../postgres/database.ts";
import { Turns } from "../postgres/turns.ts";
import { whenOver } from "./caller.ts";

/** Bytes of bodies and answers that lie in memory at once: of all tenants, and of one. */
const OF_ALL = 128 * 1024 * 1024;
const OF_EACH = 16 * 1024 * 1024;
const MAX_WAITING = 1_000;
const WAIT_MS = 30_000;

export type ByteBudget = {
  /**
   * Resolves once there is room for so many bytes of a request; they are given back when its answer is through, or its
   * connection closed. Fails with DatabaseUnavailable where there is none in time.
   */
  reserve(tenant: string, bytes: number, caller: Caller, response: ServerResponse): Promise<Reservation>;
};

export type Reservation = {
  /** Gives back what turned out not to be needed. */
  shrinkTo(bytes: number): void;
};

/**
 * Memory is bounded by bytes and not by requests: a tenant may have any number of them under way, but those of its large
 * bodies and lists wait for each other, and not for another tenant's.
 */
export function createByteBudget(): ByteBudget {
  const turns = new Turns({
    atOnce: OF_ALL,
    atOnceEach: () => OF_EACH,
    waitingEach: MAX_WAITING,
    waitMs: WAIT_MS,
  });
  return {
    async reserve(tenant, bytes, caller, response) {
      await turns.take(tenant, caller, bytes);
      let held = bytes;
      const shrinkTo = (size: number): void => {
        const rest = Math.max(0, held - size);
        held -= rest;
        if (rest > 0) turns.give(tenant, rest);
      };
      whenOver(caller, response, () => shrinkTo(0));
      return { shrinkTo };
    },
  };
}
