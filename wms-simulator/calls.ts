import fs from "node:fs";
import type { ServerResponse } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Answer } from "./contract.ts";
import type { Dice, Fault } from "./faults.ts";

/** One call of an instance, a line of the file. Times are milliseconds since the epoch. */
export type SeenCall = {
  at: number;
  instance: string;
  call: string;
  /** `source/id`, of a POST and of a look-up by the pair. */
  pair: string | null;
  struck: Fault[];
  /** Null: it was not executed. */
  executed: number | null;
  /** The order that it created or found. */
  order: number | null;
  /** When the connection ended, or the answer was sent. */
  ended: number;
  /** Null: there was no answer. */
  status: number | null;
};

/** How late the simulator was, in milliseconds, at its worst. */
export type Lateness = {
  /** From the end of a caller's connection to the execution of its call. */
  behindCaller: number;
  /** Of the event loop. It notices arrivals and hang-ups that much later. */
  ofLoop: number;
};

export type Calls = {
  /** Begins a call: its dice, which remember what struck, and what notes its execution and its end. */
  begin(call: Pick<SeenCall, "instance" | "call" | "pair">, dice: Dice, response: ServerResponse): Watched;
  lateness: () => Lateness;
  close(): void;
};

type Watched = { dice: Dice; executed(answer: Answer): void; over(): void };

/** @param file gets a line for each call once it is over; null: nothing is stored */
export function watchCalls(file: string | null): Calls {
  const output = file === null ? null : fs.openSync(file, "a", 0o600);
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  let behindCaller = 0;
  let isClosed = false;
  return {
    begin(call, dice, response) {
      const seen: SeenCall = {
        at: Date.now(),
        ...call,
        struck: [],
        executed: null,
        order: null,
        ended: 0,
        status: null,
      };
      let isOver = false;
      // A call may be executed after its caller has gone, and its caller may wait long after that.
      const write = () => {
        if (!isOver || seen.ended === 0) return;
        if (seen.executed !== null) behindCaller = Math.max(behindCaller, seen.executed - seen.ended);
        if (output !== null && !isClosed) fs.writeSync(output, `${JSON.stringify(seen)}\n`);
      };
      response.once("close", () => {
        seen.ended = Date.now();
        seen.status = response.headersSent ? response.statusCode : null;
        write();
      });
      return {
        dice: {
          number: (of) => dice.number(of),
          strikes(...faults) {
            const struck = dice.strikes(...faults);
            if (struck !== null) seen.struck.push(struck);
            return struck;
          },
        },
        executed({ body }) {
          seen.executed = Date.now();
          const { data } = body as { data?: { order_id?: number } | { order_id?: number }[] };
          seen.order = [data ?? []].flat()[0]?.order_id ?? null;
        },
        over() {
          isOver = true;
          write();
        },
      };
    },
    lateness: () => ({ behindCaller, ofLoop: Math.round(loop.max / 1e6) }),
    close() {
      isClosed = true;
      loop.disable();
      if (output !== null) fs.closeSync(output);
    },
  };
}
