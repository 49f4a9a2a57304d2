import { randomUUID } from "node:crypto";
import { steady } from "../clock.ts";
import { createBell, type Bell } from "../sharing/bell.ts";
import type { Call, Statement } from "./statement.ts";
import { asTenantId, type TenantId } from "./tenant-id.ts";

/** The notification of tenants that have written. */
export const TENANTS_WROTE = "liaison_wrote";

/** Somebody who waits for news of a tenant. That they have come is news, too, and news that come before they are waited for count. */
export type Follower = {
  /** Resolves with the next news, after so many milliseconds, and when nobody is to wait any more. */
  heard(ms: number, over: AbortSignal): Promise<void>;
  leave(): void;
};

/**
 * News of tenants that have written something, from all processes: told outside of their transactions and a little later, because a
 * NOTIFY holds a lock of the whole server through its commit. They may be false, and they may be missed: whoever waits looks again by
 * itself after a while.
 */
export type News = {
  /** Says that a transaction of the tenant's is over. */
  note(tenant: TenantId): void;
  /** Another process's news, or one's own. */
  hear(payload: string): void;
  follow(tenant: TenantId): Follower;
  /** Has somebody hear of every tenant that wrote; returns how to hear of them no longer. */
  listen(listener: (tenants: readonly TenantId[]) => void): () => void;
  /** Tells what is not yet told. */
  close(): Promise<void>;
};

const TELL_AFTER_MS = 20;
/**
 * A tenant's followers are told together, and then not again for so long for each of them: what they do with it takes a
 * tenth of that, so that however many they are, most of the time is left to those who write.
 */
const PAUSE_EACH_MS = 16;
/** As a notification's payload may have 8,000 bytes. */
const TENANTS_AT_ONCE = 300;

const tellStatement: Statement = { name: "tell_tenants_wrote", text: "select pg_notify($1, $2)" };

/** @param send has a call made in a transaction of its own, without a tenant */
export function createNews(send: (call: Call) => Promise<unknown>): News {
  const self = randomUUID();
  const followers = new Map<TenantId, Followers>();
  const listeners = new Set<(tenants: readonly TenantId[]) => void>();
  let wrote = new Set<TenantId>();
  let timer: NodeJS.Timeout | undefined;

  async function tellAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const tenants = [...wrote];
    wrote = new Set();
    if (tenants.length > 0) for (const listener of listeners) listener(tenants);
    for (let at = 0; at < tenants.length; at += TENANTS_AT_ONCE) {
      const payload = `${self} ${tenants.slice(at, at + TENANTS_AT_ONCE).join()}`;
      // News that cannot be told are found by those who look for themselves.
      await send({ statement: tellStatement, parameters: [TENANTS_WROTE, payload] }).catch(() => {});
    }
  }

  return {
    note(tenant) {
      // Those in this process need not wait for company.
      followers.get(tenant)?.ring();
      wrote.add(tenant);
      timer ??= setTimeout(() => void tellAll(), TELL_AFTER_MS).unref();
    },
    hear(payload) {
      const [teller, tenants = ""] = payload.split(" ");
      if (teller === self || tenants === "") return;
      const others = tenants.split(",").map(asTenantId);
      for (const tenant of others) followers.get(tenant)?.ring();
      for (const listener of listeners) listener(others);
    },
    follow(tenant) {
      const bell = createBell();
      const others = followers.getOrInsertComputed(tenant, () => createFollowers(() => followers.delete(tenant)));
      others.add(bell);
      return {
        async heard(ms, over) {
          const ring = () => bell.ring();
          over.addEventListener("abort", ring);
          if (!over.aborted) await bell.heard(ms);
          over.removeEventListener("abort", ring);
        },
        leave: () => others.leave(bell),
      };
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: tellAll,
  };
}

type Followers = { ring(): void; add(bell: Bell): void; leave(bell: Bell): void };

/** A tenant's followers. @param whenNone is called when the last has left, and it has been quiet for long enough */
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
    quietUntil = steady() + Math.max(TELL_AFTER_MS, PAUSE_EACH_MS * bells.size);
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
      // The pause holds for one who comes again at once.
      if (bells.size === 0) ring();
    },
  };
}
