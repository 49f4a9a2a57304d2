import os from "node:os";

/** The part of something that one holder may have. */
export type Share = {
  /** The number that all have at once. */
  all: number;
  /** The most that one has: all, unless told. Alone it may have more, because there is nobody to leave some for. */
  each?: number;
  alone?: number;
  /** The time that somebody waits. */
  waitMs: number;
  /** The most of one holder's that wait, and of all, where nothing else bounds them. */
  waiting?: number;
  waitingAll?: number;
};

const MEBIBYTE = 2 ** 20;
const PASSWORDS = { all: 1, each: 1, waitMs: 5_000, waiting: 10, waitingAll: 50 };

/** Everything that there are places at. docs/sharing.md says what each is, and is held to these numbers by a test. */
export const SHARES = {
  requests: { all: Infinity, each: 100, waitMs: 30_000, waiting: 10_000 },
  // Nobody waits for one: without it they are answered at once.
  followers: { all: Infinity, each: 500, waitMs: 0 },
  // Each holds 4 MiB of its tenant's memory until it is taken: half of it stays for everything else.
  downloads: { all: Infinity, each: 2, waitMs: 30_000, waiting: 1_000 },
  // A browser takes two of the reference's files.
  memory: { all: 128 * MEBIBYTE, each: 16 * MEBIBYTE, waitMs: 30_000, waiting: 1_000 },
  memoryOfNetworks: { all: 32 * MEBIBYTE, each: 8 * MEBIBYTE, waitMs: 30_000, waiting: 1_000 },
  quickReads: { all: 8, waitMs: 10_000 },
  writes: { all: 16, waitMs: 10_000 },
  // A search keeps a processor busy. One connection is kept for whoever comes while a tenant that is alone holds the others.
  longReads: { all: 5, each: os.availableParallelism() < 4 ? 1 : 2, alone: 4, waitMs: 10_000 },
  waitingWrites: { all: 5, each: 2, alone: 4, waitMs: 10_000 },
  // Each takes 64 MiB and a fifth of a second of the one thread that computes them. The last of fifty waits for as long as people do.
  passwords: PASSWORDS,
  passwordsOfUsers: PASSWORDS,
  passwordsOfOperators: PASSWORDS,
} satisfies Record<string, Share>;

export type ShareName = keyof typeof SHARES;
