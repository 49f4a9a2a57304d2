import { randomUUID } from "node:crypto";
import { steady } from "../clock.ts";
import { createBell, type Bell } from "../sharing/bell.ts";
import type { Call, Statement } from "./statement.ts";
import { asTenantId, type TenantId } from "./tenant-id.ts";

/** The notification of tenants that have written. */
export const TENANTS_WROTE = "liaison_wrote";

/**
 * A listener that waits for news of one tenant. Joining counts as news, and so does news that arrives before the wait.
 */
export type Follower = {
  /** Resolves with the next news, after `ms` milliseconds, or when `over` aborts. */
  wait(ms: number, over: AbortSignal): Promise<void>;
  leave(): void;
};

/**
 * Notifications that tenants have written something, from all processes. They are sent outside the writing transactions
 * and a little later, because a NOTIFY locks the whole server until its commit. They may be false or missing, so every
 * listener also polls.
 */
export type News = {
  /** Records that a transaction of the tenant is over. */
  note(tenant: TenantId): void;
  /** News of another process, or of this one. */
  receive(payload: string): void;
  follow(tenant: TenantId): Follower;
  /** Calls the listener with every tenant that wrote; returns a function that removes the listener. */
  listen(listener: (tenants: readonly TenantId[]) => void): () => void;
  /** Sends the pending notifications. */
  close(): Promise<void>;
};

const NOTIFY_AFTER_MS = 20;
/**
 * All followers of a tenant are notified together, and then not again for this long per follower. Their work takes
 * about a tenth of that, so most of the time remains for writers, whatever the number of followers.
 */
const PAUSE_EACH_MS = 16;
/** A notification's payload is limited to 8,000 bytes. */
const TENANTS_AT_ONCE = 300;

const notifyStatement: Statement = { name: "notify_tenants_wrote", text: "select pg_notify($1, $2)" };

/** @param send makes a call in a separate transaction, without a tenant */
export function createNews(send: (call: Call) => Promise<unknown>): News {
  const self = randomUUID();
  const followers = new Map<TenantId, Followers>();
  const listeners = new Set<(tenants: readonly TenantId[]) => void>();
  let wrote = new Set<TenantId>();
  let timer: NodeJS.Timeout | undefined;

  async function notifyAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const tenants = [...wrote];
    wrote = new Set();
    if (tenants.length > 0) for (const listener of listeners) listener(tenants);
    for (let at = 0; at < tenants.length; at += TENANTS_AT_ONCE) {
      const payload = `${self} ${tenants.slice(at, at + TENANTS_AT_ONCE).join()}`;
      // A lost notification is harmless: listeners also poll.
      await send({ statement: notifyStatement, parameters: [TENANTS_WROTE, payload] }).catch(() => {});
    }
  }

  return {
    note(tenant) {
      // Followers in this process are notified at once.
      followers.get(tenant)?.ring();
      wrote.add(tenant);
      timer ??= setTimeout(() => void notifyAll(), NOTIFY_AFTER_MS).unref();
    },
    receive(payload) {
      const [sender, tenants = ""] = payload.split(" ");
      if (sender === self || tenants === "") return;
      const others = tenants.split(",").map(asTenantId);
      for (const tenant of others) followers.get(tenant)?.ring();
      for (const listener of listeners) listener(others);
    },
    follow(tenant) {
      const bell = createBell();
      const others = followers.getOrInsertComputed(tenant, () => createFollowers(() => followers.delete(tenant)));
      others.add(bell);
      return {
        async wait(ms, over) {
          const ring = () => bell.ring();
          over.addEventListener("abort", ring);
          if (!over.aborted) await bell.wait(ms);
          over.removeEventListener("abort", ring);
        },
        leave: () => others.leave(bell),
      };
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: notifyAll,
  };
}

type Followers = { ring(): void; add(bell: Bell): void; leave(bell: Bell): void };

/**
 * A tenant's followers.
 * @param whenNone is called once the last one has left and the pause is over
 */
function createFollowers(whenNone: () => void): Followers {
  const bells = new Set<Bell>();
  let quietUntil = 0;
  let timer: NodeJS.Timeout | undefined;

  function ring(): void {
    if (timer !== undefined) return;
    const quietFor = quietUntil - steady();
    if (quietFor > 0) {
      timer = setTimeout(ringNow, quietFor);
      timer.unref();
    } else ringNow();
  }

  function ringNow(): void {
    timer = undefined;
    if (bells.size === 0) return whenNone();
    quietUntil = steady() + Math.max(NOTIFY_AFTER_MS, PAUSE_EACH_MS * bells.size);
    for (const bell of bells) bell.ring();
  }

  return {
    ring,
    add(bell) {
      bells.add(bell);
      ring();
    },
    leave(bell) {
      bells.delete(bell);
      // The pause also applies to a follower that returns at once.
      if (bells.size === 0) ring();
    },
  };
}
