import { Tallies } from "../metrics/tallies.ts";
import type { Statement } from "./statement.ts";

const [ZERO, NINE] = [48, 57];

/** The statements of this process, whichever connection they were sent on. */
export const statementTallies = new Tallies({
  labels: ["statement"],
  count: { name: "liaison_statements_total", help: "Statements that PostgreSQL answered, failures included." },
  seconds: {
    name: "liaison_statement_seconds_total",
    help: "Seconds from the answer before on the connection, or the sending, to the statement's own.",
  },
});

export function noteStatement({ name }: Statement, ms: number): void {
  statementTallies.note([name === "" ? "unnamed" : kindOf(name)], ms);
}

/** Statements whose names end with a number differ only in their columns, which clients choose: they count as one. */
function kindOf(name: string): string {
  const last = name.charCodeAt(name.length - 1);
  return last >= ZERO && last <= NINE ? name.slice(0, name.lastIndexOf("_")) : name;
}
