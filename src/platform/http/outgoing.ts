import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../sharing/caller.ts";
import { isNetwork, type Holder } from "../sharing/holder.ts";
import type { Places } from "../sharing/places.ts";
import { PRICES } from "../sharing/prices.ts";
import type { Sharing } from "../sharing/sharing.ts";
import type { Time } from "../sharing/time.ts";
import { HttpCaller, whenClosed } from "./caller.ts";

/** The body of an answer: a text, a file, or either in parts, each of which is made once the previous one is sent. */
export type Body = string | Buffer | AsyncIterable<string | Buffer>;

/**
 * Sends one answer to its caller, and reserves memory before a large answer is made. All methods fail with Overloaded
 * if that takes too long, or if the caller hangs up.
 */
export type ResponseWriter = Caller & {
  /**
   * Waits until this many bytes of memory are free: before rows are read, if a list knows their maximum. A request that
   * already has memory for its body never waits for more, because such requests would wait for each other.
   */
  reserve(bytes: number): Promise<void>;
  /** Sends it; a large body waits for memory. */
  send(body: Body): Promise<FastifyReply>;
};

/** The response writer of a request: always the same object for one request. */
export type Outgoing = (request: FastifyRequest, reply: FastifyReply) => ResponseWriter;

/** Bytes; smaller answers are as cheap as the request itself. */
const SMALL_ANSWER = 64 * 1024;
/**
 * The memory in bytes of a larger answer, or a part of it, while it is made: rows, text, the text's bytes, and the rest
 * of the previous part in the connection.
 */
const LARGE_BYTES = 4 * 2 ** 20;

/**
 * Everything leaves the server here: the API's answers, pages, downloads, the reference. The bytes in memory are
 * limited for each holder and for all (docs/decisions/0047-one-idea-of-sharing.md).
 */
export function createOutgoing({ time, places }: Sharing): Outgoing {
  const [ofTenants, ofNetworks] = [createByteBudget(places.memory), createByteBudget(places.memoryOfNetworks)];
  return (request, reply) => {
    const { caller } = request;
    if (caller instanceof HttpResponseWriter) return caller;
    return (request.caller = new HttpResponseWriter(
      request,
      reply,
      isNetwork(request.holder) ? ofNetworks : ofTenants,
      time,
    ));
  };
}

/** A class, so that all requests share its methods: separate closures and arrays would cost each request a kilobyte. */
class HttpResponseWriter extends HttpCaller implements ResponseWriter {
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
    // The first rows show that it is a large answer, but not how much more will be read.
    if (this.#room === null && charactersRead() > SMALL_ANSWER) this.#room = this.reserve(LARGE_BYTES);
    return this.#room ?? undefined;
  }

  async send(body: Body): Promise<FastifyReply> {
    if (typeof body !== "string" && !Buffer.isBuffer(body)) {
      // Its memory is needed until the last part is sent.
      await this.reserve(LARGE_BYTES);
      // The parts of an answer to HEAD are not sent, so nothing would slow their making.
      return this.#reply.send(Readable.from(this.#reply.request.method === "HEAD" ? [] : body, { highWaterMark: 1 }));
    }
    // Rows were charged when they were read.
    if (Buffer.isBuffer(body))
      await this.#time.waitForTurn(this.#holder, (PRICES.megabyteOfFile * body.length) / 2 ** 20, this);
    if (body.length > SMALL_ANSWER) await this.reserve(body.length);
    this.#reserved?.shrinkTo(body.length);
    return this.#reply.send(body);
  }
}

type ByteBudget = {
  /**
   * Resolves once this many bytes of memory are reserved for a request; they are released when its answer is sent or
   * its connection closes. Fails with Overloaded if there is no room in time.
   * @param holder a tenant, or a network if the caller is not authenticated
   */
  reserve(holder: string, bytes: number, caller: Caller, response: ServerResponse): Promise<Reservation>;
};

type Reservation = {
  /** Releases bytes that are not needed. */
  shrinkTo(bytes: number): void;
};

/**
 * Memory is limited by bytes, not by requests: a tenant may have any number of requests in progress, but its large
 * bodies and lists wait for each other, and not for another tenant's.
 */
function createByteBudget(places: Places): ByteBudget {
  return {
    async reserve(holder, bytes, caller, response) {
      await places.acquire(holder, caller, bytes);
      let reserved = bytes;
      const shrinkTo = (size: number): void => {
        const rest = Math.max(0, reserved - size);
        reserved -= rest;
        if (rest > 0) places.release(holder, rest);
      };
      whenClosed(caller, response, () => shrinkTo(0));
      return { shrinkTo };
    },
  };
}
