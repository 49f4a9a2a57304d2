import type { SeededTenant } from "../tenants/seed.ts";
import type { PageVisitor } from "./page-visitor.ts";

/** What the tenants that attack have: many companies; one company with many rows beneath it; the longest texts. */
export const ATTACKERS = ["large", "crowded", "fat"] as const;
export type Attacker = (typeof ATTACKERS)[number];

/** Whom an attack's requests can name. */
export type AttackedRows = SeededTenant &
  PageVisitor & {
    /** The company with thousands of contacts, addresses and orders. */
    company: number;
    /** The company with hundreds of thousands of contacts. */
    hugeCompany: number;
  };

export type AttackRequest = {
  method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  path: string;
  /** Bytes, and long ones made once: making them would take the processor that the server needs. */
  body?: Buffer;
  headers?: Record<string, string>;
  /** Another than the tenant's own. */
  token?: string;
};

export type Attack = {
  name: string;
  of: Attacker;
  /** @param n which request of the attack it is, from 0 */
  request(rows: AttackedRows, n: number): AttackRequest;
  /** The default is 16. */
  connections?: number;
  /** How many requests may be ahead of the pace (--rate). The default is the number of connections. */
  burst?: number;
  /** Closes the connection after this number of milliseconds, and sends the request again. */
  hangUp?: number;
  /** Posts to `/cancel` below the page that an upload leads to. */
  cancels?: true;
  /** Never reads an answer. */
  unread?: true;
  /**
   * `stays silent` after connecting, `drips` the body a byte at a time, `withholds` its last byte, `crumbles` it into
   * chunks of a byte, `sips` the answer, `pipelines` requests without waiting for answers. Otherwise each connection
   * sends its next request when the one before is answered.
   */
  manner?: "stays silent" | "drips" | "withholds" | "crumbles" | "sips" | "pipelines";
  /** The number of the tenant's first companies that another transaction locks during the attack. */
  locks?: number;
};

/** What the attacking process is sent. The attack itself does not survive the way: it is named. */
export type AttackJob = {
  url: string;
  attack: string;
  rows: AttackedRows;
  seconds: number;
  rate: number;
  quick: boolean;
};

/** How many requests were sent and, by status (or what happened instead), how they ended. */
export type AttackResult = { sent: number; ends: Record<string, number> };

/** @param differs what is not as usual */
export function by(of: Attacker, name: string, request: Attack["request"], differs: Partial<Attack> = {}): Attack {
  return { name, of, request, ...differs };
}
