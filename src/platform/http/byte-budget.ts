import type { ServerResponse } from "node:http";
import type { Caller } from "../sharing/caller.ts";
import type { Places } from "../sharing/places.ts";
import { whenOver } from "./caller.ts";

export type ByteBudget = {
  /**
   * Resolves once there is room for so many bytes of a request; they are given back when its answer is through, or its
   * connection closed. Fails with Overloaded where there is none in time.
   * @param holder a tenant or, where nobody says who asks, a network
   */
  reserve(holder: string, bytes: number, caller: Caller, response: ServerResponse): Promise<Reservation>;
};

export type Reservation = {
  /** Gives back what turned out not to be needed. */
  shrinkTo(bytes: number): void;
};

/**
 * Memory is bounded by bytes and not by requests: a tenant may have any number of them under way, but those of its large
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
