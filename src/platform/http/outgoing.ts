import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../sharing/caller.ts";
import { isNetwork } from "../sharing/holder.ts";
import { PRICES } from "../sharing/prices.ts";
import type { Sharing } from "../sharing/sharing.ts";
import { createByteBudget, type Reservation } from "./byte-budget.ts";
import { Asking, callerOf } from "./caller.ts";

/** The body of an answer: a text, a file, or a text in parts, each of which is made once the one before it is taken. */
export type Body = string | Buffer | AsyncIterable<string>;

/** The way out of one answer. All of these fail with Overloaded where it takes too long, and when the caller hangs up. */
export type WayOut = {
  /** The caller who waits for it: for what is made of much that is read for them there is memory before it is made. */
  caller: Caller;
  /** Waits until there is memory for so many bytes: before they are read, where a list knows how many they can be. */
  reserve: (bytes: number) => Promise<void>;
  /** Sends it, what is large when there is memory for it. */
  send: (body: Body) => Promise<FastifyReply>;
};

export type Outgoing = (request: FastifyRequest, reply: FastifyReply) => WayOut;

/** Bytes; smaller answers are as cheap as the request itself. */
const SMALL_ANSWER = 64 * 1024;
/** Bytes that an answer in parts holds: the rows of a part, its text and what the connection has of the one before. */
const PARTS_BYTES = 4 * 2 ** 20;
/** Of what was read, a page or a resource's JSON has the rows, its text and that text's bytes in memory. */
const TIMES_ITS_LENGTH = 4;
const MOST_ROOM = 4 * 2 ** 20;

/**
 * One way out of the server for everything: the API's answers, pages, downloads, the reference. So many bytes of a holder are
 * on their way at once, and of all (docs/decisions/0045-one-way-out.md).
 */
export function createOutgoing({ time, places }: Sharing): Outgoing {
  const [ofTenants, ofNetworks] = [createByteBudget(places.memory), createByteBudget(places.memoryOfNetworks)];

  return (request, reply) => {
    const { holder } = request;
    const asking = callerOf(request);
    const budget = isNetwork(holder) ? ofNetworks : ofTenants;
    const reserved: Reservation[] = [];
    let room: Promise<void> | null = null;

    async function reserve(bytes: number): Promise<void> {
      reserved.push(await budget.reserve(holder, bytes, asking, reply.raw));
    }

    return {
      reserve,
      caller: Object.assign(new Asking(request), {
        makeRoom(charactersRead: () => number) {
          // A request that holds some of it never waits for more: all would wait for each other.
          if (reserved.length > 0) return undefined;
          const characters = room === null ? charactersRead() : 0;
          if (characters > SMALL_ANSWER) room = reserve(Math.min(TIMES_ITS_LENGTH * characters, MOST_ROOM));
          return room ?? undefined;
        },
      }),
      async send(body) {
        if (typeof body !== "string" && !Buffer.isBuffer(body)) {
          // Its memory is needed until the last of the parts is through.
          if (reserved.length === 0) await reserve(PARTS_BYTES);
          // Nobody takes the parts of an answer to HEAD, and so nothing would hold them up.
          return reply.send(Readable.from(request.method === "HEAD" ? [] : body, { highWaterMark: 1 }));
        }
        // Rows were paid for when they were read.
        if (Buffer.isBuffer(body)) await time.take(holder, (PRICES.megabyteOfFile * body.length) / 2 ** 20, asking);
        if (reserved.length === 0 && body.length > SMALL_ANSWER) await reserve(body.length);
        for (const reservation of reserved) reservation.shrinkTo(body.length);
        return reply.send(body);
      },
    };
  };
}
