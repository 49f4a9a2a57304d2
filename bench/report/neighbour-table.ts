import { worstOf, type Spell } from "../neighbours/spell.ts";
import { cells, short } from "./tables.ts";

/** Two times each, in milliseconds: p50 and p99. */
const OPERATIONS = ["look-up", "list", "search", "create", "update"];
const WIDTHS = [38, ...OPERATIONS.map(() => 13), 16, 16, 9, 8, 13];

export function neighbourHeader(): string {
  const columns = [
    "the other tenant's p50/p99 ms beside",
    ...OPERATIONS,
    "x quiet p99",
    "failed",
    "ready s",
    "MB",
    "cores s+db",
  ];
  return `${cells(columns, WIDTHS)}  how the attack's requests ended`;
}

/** What the other tenant noticed of one attack. */
export function spellLine(spell: Spell): string {
  const { attack, operations, failed, readySeconds, megabytes, cores, attacker } = spell;
  const times = OPERATIONS.map(
    (name) => `${short(operations[name]?.p50 ?? NaN)}/${short(operations[name]?.p99 ?? NaN)}`,
  );
  const worst = worstOf([spell]);
  const ratio = attack === null ? "" : `${short(worst.ratio)} ${worst.operation}`;
  const row = [
    attack ?? "nobody",
    ...times,
    ratio,
    countsOf(failed) || "-",
    short(readySeconds),
    short(megabytes),
    `${cores.server.toFixed(2)}+${cores.database.toFixed(2)}`,
  ];
  return `${cells(row, WIDTHS)}  ${attacker === null ? "" : countsOf(attacker.ends)}`.trimEnd();
}

function countsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count.toLocaleString("en")} x ${what}`)
    .join(", ");
}
