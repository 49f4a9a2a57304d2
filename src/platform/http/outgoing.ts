import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../sharing/caller.ts";
import { isNetwork, type Holder } from "../sharing/holder.ts";
import { PRICES } from "../sharing/prices.ts";
import type { Sharing } from "../sharing/sharing.ts";
import type { Time } from "../sharing/time.ts";
import { createByteBudget, type ByteBudget, type Reservation } from "./byte-budget.ts";
import { Asking } from "./caller.ts";

/** The body of an answer: a text, a file, or a text in parts, each of which is made once the one before it is taken. */
export type Body = string | Buffer | AsyncIterable<string>;

/**
 * The way out of one answer, and the caller who waits for it: for what is made of much that is read for them there is memory before
 * it is made. All of these fail with Overloaded where it takes too long, and when the caller hangs up.
 */
export type WayOut = Caller & {
  /**
   * Waits until there is memory for so many bytes: before they are read, where a list knows how many they can be. A request that holds
   * some of it, for its body, never waits for more: all would wait for each other.
   */
  reserve(bytes: number): Promise<void>;
  /** Sends it, what is large when there is memory for it. */
  send(body: Body): Promise<FastifyReply>;
};

/** The way out of a request's answer: one, however often it is asked for. */
export type Outgoing = (request: FastifyRequest, reply: FastifyReply) => WayOut;

/** Bytes; smaller answers are as cheap as the request itself. */
const SMALL_ANSWER = 64 * 1024;
/** Bytes that a larger one holds while it, or a part of it, is made: rows, text, that text's bytes, and what the connection has of the part before. */
const LARGE_BYTES = 4 * 2 ** 20;

/**
 * One way out of the server for everything: the API's answers, pages, downloads, the reference. So many bytes of a holder are
 * on their way at once, and of all (docs/decisions/0047-one-idea-of-sharing.md).
 */
export function createOutgoing({ time, places }: Sharing): Outgoing {
  const [ofTenants, ofNetworks] = [createByteBudget(places.memory), createByteBudget(places.memoryOfNetworks)];
  return (request, reply) => {
    const { caller } = request;
    if (caller instanceof Leaving) return caller;
    return (request.caller = new Leaving(request, reply, isNetwork(request.holder) ? ofNetworks : ofTenants, time));
  };
}

/** A class, whose methods all requests share: closures and arrays of its own would cost each of them a kilobyte. */
class Leaving extends Asking implements WayOut {
  readonly #reply: FastifyReply;
  readonly #holder: Holder;
  readonly #budget: ByteBudget;
  readonly #time: Time;
  #reserved: Reservation | null = null;
  #room: Promise<void> | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply, budget: ByteBudget, time: Time) {
    super(request);
    this.#reply = reply;
    this.#holder = request.holder;
    this.#budget = budget;
    this.#time = time;
  }

  async reserve(bytes: number): Promise<void> {
    this.#reserved ??= await this.#budget.reserve(this.#holder, bytes, this, this.#reply.raw);
  }

  makeRoom(charactersRead: () => number): Promise<void> | undefined {
    if (this.#reserved !== null) return undefined;
    // The first rows tell that it is a large one, and not how much more is read for it.
    if (this.#room === null && charactersRead() > SMALL_ANSWER) this.#room = this.reserve(LARGE_BYTES);
    return this.#room ?? undefined;
  }

  async send(body: Body): Promise<FastifyReply> {
    if (typeof body !== "string" && !Buffer.isBuffer(body)) {
      // Its memory is needed until the last of the parts is through.
      await this.reserve(LARGE_BYTES);
      // Nobody takes the parts of an answer to HEAD, and so nothing would hold them up.
      return this.#reply.send(Readable.from(this.#reply.request.method === "HEAD" ? [] : body, { highWaterMark: 1 }));
    }
    // Rows were paid for when they were read.
    if (Buffer.isBuffer(body))
      await this.#time.take(this.#holder, (PRICES.megabyteOfFile * body.length) / 2 ** 20, this);
    if (body.length > SMALL_ANSWER) await this.reserve(body.length);
    this.#reserved?.shrinkTo(body.length);
    return this.#reply.send(body);
  }
}
