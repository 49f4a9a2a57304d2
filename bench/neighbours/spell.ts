import type { Figure } from "../figures/figure.ts";
import { percentiles } from "../load/percentiles.ts";
import type { AttackResult } from "./attack.ts";
import type { BystanderResult } from "./bystander-job.ts";

/** What the bystander noticed while nobody, or one attack, was there. */
export type Spell = {
  /** Null: nobody. */
  attack: string | null;
  operations: Record<string, { p50: number; p99: number; /** By the quiet p99. */ ratio: number; answers: number }>;
  /** Of all its requests and of /health/ready: those not answered by a 2xx, by status; 0: not answered at all. */
  failed: Record<number, number>;
  /** The longest answer of /health/ready. */
  readySeconds: number;
  /** The most memory that the server had. */
  megabytes: number;
  /** How many processors' time the server and PostgreSQL used. */
  cores: { server: number; database: number };
  /** The part of the processors' time that the machine's host gave to others meanwhile. */
  stolen: number;
  attacker: AttackResult | null;
};

/** The most that the bystander's p99 may be, as a multiple of its p99 without an attack. */
export const MOST_RATIO = 5;

/** What was seen of a spell while it lasted. */
export type Watched = Pick<Spell, "megabytes" | "cores" | "stolen"> & { noticed: BystanderResult };

export function spellOf(
  attack: string | null,
  { noticed, megabytes, cores, stolen }: Watched,
  attacker: AttackResult | null,
  quiet: BystanderResult,
): Spell {
  const failed: Record<number, number> = {};
  for (const one of [...Object.values(noticed.operations), noticed.ready]) {
    for (const [status, count] of Object.entries(one.failed))
      failed[Number(status)] = (failed[Number(status)] ?? 0) + count;
  }
  const operations = Object.entries(noticed.operations).map(([name, { milliseconds }]) => {
    const { p50, p99 } = percentiles(milliseconds);
    const ratio = p99 / percentiles(quiet.operations[name]?.milliseconds ?? []).p99;
    return [name, { p50, p99, ratio, answers: milliseconds.length }] as const;
  });
  return {
    attack,
    operations: Object.fromEntries(operations),
    failed,
    readySeconds: Math.max(...noticed.ready.milliseconds) / 1_000,
    megabytes,
    cores,
    stolen,
    attacker,
  };
}

/**
 * Of several spells of one attack the one in the middle, so that a moment of the machine's does not count; with what
 * failed in any.
 */
export function medianSpell(spells: [Spell, ...Spell[]]): Spell {
  const byRatio = spells.toSorted((a, b) => worstOf([a]).ratio - worstOf([b]).ratio);
  return { ...(byRatio[Math.floor(byRatio.length / 2)] ?? spells[0]), failed: mostFailed(spells) };
}

/** Of several spells, what failed in the one where most did. */
export function mostFailed(spells: [Spell, ...Spell[]]): Spell["failed"] {
  return spells.reduce((most, one) => (failuresOf(one) > failuresOf(most) ? one : most)).failed;
}

/** What follows from the spells. The aim is that nobody notices anybody. */
export function neighbourFigures(spells: Spell[]): Figure[] {
  const attacks = spells.filter(({ attack }) => attack !== null);
  const worst = worstOf(attacks);
  const all = (pick: (spell: Spell) => number) => Math.max(...attacks.map(pick));
  return [
    {
      name: `p99 beside the worst neighbour / quiet p99 (${worst.operation}, ${worst.attack})`,
      value: worst.ratio,
      atMost: MOST_RATIO,
    },
    {
      name: "the other tenant's requests that failed, all attacks",
      value: attacks.reduce((sum, spell) => sum + failuresOf(spell), 0),
      atMost: 0,
    },
    {
      name: "longest answer of /health/ready beside any",
      value: all(({ readySeconds }) => readySeconds),
      unit: "s",
      atMost: 1,
    },
    { name: "server's most memory beside any", value: all(({ megabytes }) => megabytes), unit: "MB", atMost: 512 },
  ];
}

function failuresOf({ failed }: Spell): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}

export function worstOf(spells: Spell[]): { attack: string; operation: string; ratio: number } {
  return spells
    .flatMap(({ attack, operations }) =>
      Object.entries(operations).map(([operation, { ratio }]) => ({ attack: attack ?? "nobody", operation, ratio })),
    )
    .reduce((worst, one) => (one.ratio > worst.ratio ? one : worst), { attack: "", operation: "", ratio: 0 });
}
