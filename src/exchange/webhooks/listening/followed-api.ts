import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../../platform/refusal.ts";

/** A change as the feed answers it. */
export type FedChange = {
  id: number;
  at: string;
  type: string;
  resource_id: number;
  action: string;
  changed: Record<string, { from: unknown; to: unknown }>;
};

export type FedPage = { data: FedChange[]; next: string; more: boolean };

/** Options of a follower, as the fields `body` and `children` of a webhook. */
type FollowerOptions = {
  /** Whether changes have the resource. */
  isFull: boolean;
  /** Whether contacts and addresses that are hidden or shown with their company have changes too. */
  hasChildren: boolean;
};

/** The order of an invoice as `GET /api/v1/invoices/{id}` answers it. */
export type FedOrder = {
  instance: string | null;
  order_id: number | null;
  order_number: string | null;
  status: string | null;
};

const WAIT_SECONDS = 30;
/** A request has this time beyond the time that the server waits. */
const ANSWER_MS = 10_000;
const MOST_CHANGES = 100;
/** Changes of this type do not exist, so a page reaches far. */
const NO_TYPE = "wms";
const PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 60;
/** Statuses of refusals that end by themselves. */
const PASSING = new Set([408, 425, 429]);

/** A server that is followed with a key, over HTTP alone. Its methods wait while the server cannot be reached. */
export type FollowedApi = ReturnType<typeof followedApi>;

/** @param stop ends every wait. @param warn reports what is waited for */
export function followedApi(
  { server, token, isFull, hasChildren }: { server: URL; token: string } & FollowerOptions,
  stop: AbortSignal,
  warn: (line: string) => void,
) {
  const beside = { ...(isFull && { include: "resource" }), ...(hasChildren && { children: "true" }) };

  async function get(path: string, query: Record<string, string>): Promise<Answer> {
    for (let isFirst = true; ; isFirst = false) {
      const answer = await ask(path, query);
      if ("status" in answer && !PASSING.has(answer.status) && answer.status < 500) return answer;
      const why = "status" in answer ? `answers ${answer.status}` : `cannot be reached (${answer.failure})`;
      if (isFirst) warn(`${server.href} ${why}: it is asked again until it answers.`);
      await pause(answer.pauseSeconds * 1_000, null, { signal: stop });
    }
  }

  async function ask(path: string, query: Record<string, string>, ends = stop): Promise<Answer | Silence> {
    const url = new URL(`/api/v1${path}?${new URLSearchParams(query).toString()}`, server);
    const signal = AbortSignal.any([ends, AbortSignal.timeout(Number(query.wait ?? 0) * 1_000 + ANSWER_MS)]);
    try {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: "error", signal });
      return {
        status: answer.status,
        text: await answer.text(),
        pauseSeconds: Math.min(Number(answer.headers.get("retry-after")) || PAUSE_SECONDS, LONGEST_PAUSE_SECONDS),
      };
    } catch (error) {
      ends.throwIfAborted();
      return { failure: failureOf(error), pauseSeconds: PAUSE_SECONDS };
    }
  }

  async function page(query: Record<string, string>): Promise<FedPage> {
    const answer = await get("/changes", query);
    if (answer.status !== 200) throw new Refusal(refusalOf(answer));
    return JSON.parse(answer.text) as FedPage;
  }

  return {
    /** The cursor behind the last change. */
    async end(): Promise<string> {
      for (let after = ""; ;) {
        const { next, more } = await page({ after, limit: "1000", types: NO_TYPE });
        if (!more) return next;
        after = next;
      }
    },

    /** The next changes, as soon as there are some. */
    async changesAfter(cursor: string): Promise<FedPage> {
      return await page({ after: cursor, limit: String(MOST_CHANGES), wait: String(WAIT_SECONDS), ...beside });
    },

    /** The cursor behind the first changes of a page, asked once, after the stop; `cursor` if there is no answer. */
    async cursorBehind(cursor: string, changes: number): Promise<string> {
      const query = { after: cursor, limit: String(changes), ...beside };
      const answer = await ask("/changes", query, new AbortController().signal);
      return "status" in answer && answer.status === 200 ? (JSON.parse(answer.text) as FedPage).next : cursor;
    },

    /** The order of an invoice as it is now; null if the key may not read it, or it has none. */
    async orderOf(invoice: number): Promise<FedOrder | null> {
      const { status, text } = await get(`/invoices/${invoice}`, {});
      return status === 200 ? (JSON.parse(text) as { data: { wms: FedOrder | null } }).data.wms : null;
    },
  };
}

type Answer = { status: number; text: string; pauseSeconds: number };
type Silence = { failure: string; pauseSeconds: number };

/** The sentence of a refusal, as the API says it. */
function refusalOf({ status, text }: Answer): string {
  try {
    const { error, details } = JSON.parse(text) as { error?: unknown; details?: unknown };
    const said = [error, details].filter((part) => typeof part === "string").join(" ");
    if (said !== "") return `The server refuses (${status}): ${said}`;
  } catch {
    // The server at this address is not Liaison.
  }
  return `The server answers ${status}. Check --url.`;
}

/** The reason of a failed request, in a few words. */
export function failureOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return "no answer in time";
  return cause?.code ?? message;
}
