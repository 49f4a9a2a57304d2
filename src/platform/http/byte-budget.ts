import type { ServerResponse } from "node:http";
import type { Caller } from "../sharing/caller.ts";
import type { Places } from "../sharing/places.ts";
import { whenOver } from "./caller.ts";

export type ByteBudget = {
  /**
   * Resolves once this many bytes of memory are reserved for a request; they are released when its answer is sent or
   * its connection closes. Fails with Overloaded if there is no room in time.
   * @param holder a tenant, or a network if the caller is not authenticated
   */
  reserve(holder: string, bytes: number, caller: Caller, response: ServerResponse): Promise<Reservation>;
};

export type Reservation = {
  /** Releases bytes that are not needed. */
  shrinkTo(bytes: number): void;
};

/**
 * Memory is limited by bytes, not by requests: a tenant may have any number of requests in progress, but its large
 * bodies and lists wait for each other, and not for another tenant's.
 */
export function createByteBudget(places: Places): ByteBudget {
  return {
    async reserve(holder, bytes, caller, response) {
      await places.take(holder, caller, bytes);
      let held = bytes;
      const shrinkTo = (size: number): void => {
        const rest = Math.max(0, held - size);
        held -= rest;
        if (rest > 0) places.give(holder, rest);
      };
      whenOver(caller, response, () => shrinkTo(0));
      return { shrinkTo };
    },
  };
}
