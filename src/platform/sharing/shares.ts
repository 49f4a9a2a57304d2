import os from "node:os";

/** The share of one holder in a resource. */
export type Share = {
  /** The limit for all together. */
  all: number;
  /** The limit for one holder; by default all. Alone it may use more, because no other needs a part. */
  each?: number;
  alone?: number;
  /** The limit for one with a long line of waiting callers. */
  ofLong?: number;
  /** The longest wait. */
  waitMs: number;
  /** The most waiting callers of one holder, and of all, if nothing else limits them. */
  waiting?: number;
  waitingAll?: number;
};

const MEBIBYTE = 2 ** 20;
const PASSWORDS = { all: 1, each: 1, waitMs: 5_000, waiting: 10, waitingAll: 50 };

/** All resources with places. docs/sharing.md describes each, and a test compares these numbers with it. */
export const SHARES = {
  requests: { all: Infinity, each: 100, ofLong: 20, waitMs: 30_000, waiting: 2_000 },
  // There is no wait: above the limit, followers are answered at once.
  followers: { all: Infinity, each: 500, waitMs: 0 },
  // Each uses 4 MiB of its tenant's memory until it is sent: half of the memory stays for everything else.
  downloads: { all: Infinity, each: 2, waitMs: 30_000, waiting: 1_000 },
  // A browser loads two of the reference's files at once.
  memory: { all: 128 * MEBIBYTE, each: 16 * MEBIBYTE, waitMs: 30_000, waiting: 1_000 },
  memoryOfNetworks: { all: 32 * MEBIBYTE, each: 8 * MEBIBYTE, waitMs: 30_000, waiting: 1_000 },
  quickReads: { all: 8, waitMs: 10_000 },
  writes: { all: 16, waitMs: 10_000 },
  // A search uses a whole processor. One connection stays free for newcomers while a tenant that is alone uses the
  // others.
  longReads: { all: 5, each: os.availableParallelism() < 4 ? 1 : 2, alone: 4, waitMs: 10_000 },
  waitingWrites: { all: 5, each: 2, alone: 4, waitMs: 10_000 },
  // Each uses 64 MiB, and a fifth of a second of the one thread that computes them. The last of fifty waits about as
  // long as people accept.
  passwords: PASSWORDS,
  passwordsOfUsers: PASSWORDS,
  passwordsOfOperators: PASSWORDS,
  // Each may need 150 MB and a minute. Two, so that one tenant's workbook does not delay another's.
  workbooks: { all: 2, each: 1, waitMs: 30_000, waiting: 10 },
  // Each waits for a provider, 15 s at most. A workspace's slow provider delays no other's.
  singleSignOns: { all: 100, each: 8, waitMs: 10_000, waiting: 50 },
  // Each waits for the register of companies, 5 s at most.
  companyLookups: { all: 50, each: 4, waitMs: 5_000, waiting: 10 },
  // Each is a thread of 60 MB for about a second.
  papers: { all: 2, each: 1, waitMs: 30_000, waiting: 10 },
} satisfies Record<string, Share>;

export type ShareName = keyof typeof SHARES;
