import { Presence } from "../../src/platform/sharing/presence.ts";
import { SHARES, type Share, type ShareName } from "../../src/platform/sharing/shares.ts";
import { createSharing, type Sharing } from "../../src/platform/sharing/sharing.ts";
import { SlowWork } from "../../src/platform/sharing/slow-work.ts";
import { Time } from "../../src/platform/sharing/time.ts";

/** A mechanism by which tenants share a process, and the attacks that are noticed where it is missing. */
export type Mechanism = {
  name: string;
  attacks: string[];
  /** The same without it. */
  sharing: () => Sharing;
};

/**
 * Every mechanism of sharing is listed here. One that makes no difference to any attack is removed from the product
 * (bench/README.md).
 */
export const mechanisms: readonly Mechanism[] = [
  {
    name: "time",
    attacks: [
      "member pages, strangers",
      "lists, pipelined",
      "fat companies, one by one",
      "fat updates",
      "bodies of 1 MiB, many members",
    ],
    sharing: () => ({ ...createSharing(), time: new NoTime(new Presence()) }),
  },
  places("requests", ["lists, 1,000 connections", "look-ups, 1,000 connections"]),
  places("followers", ["followers over 1,000 connections"]),
  places("memory", ["fat list, never read", "fat export, never read", "refused rows, never read"]),
  places("memoryOfNetworks", ["the contract, never read"]),
  places("longReads", ["search every", "search one letter", "contacts search 255"]),
  places("waitingWrites", ["updates of locked rows"]),
  {
    name: "slow-work",
    attacks: ["contacts, far page", "look-ups of a huge company", "contacts of a huge company, page 4,000"],
    sharing: () => ({ ...createSharing(), slowWork: new NothingSlow(new Presence()) }),
  },
];

/** Without a share of its own for each: one may have all. */
function places(name: ShareName, attacks: string[]): Mechanism {
  const share: Share = SHARES[name];
  return { name, attacks, sharing: () => createSharing({ [name]: { ...share, each: share.all, alone: share.all } }) };
}

class NoTime extends Time {
  override isFree(): boolean {
    return true;
  }

  override waitForTurn(): null {
    return null;
  }
}

class NothingSlow extends SlowWork {
  override has(): boolean {
    return false;
  }
}
