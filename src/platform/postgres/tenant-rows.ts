import type { Readable } from "node:stream";
import { gathered, linesOf } from "./copy-lines.ts";
import type { PartOfTable, WantedRows } from "./stored-tables.ts";

/**
 * The rows of one tenant in several tables, including its own row, in one statement: on a cluster only that has one
 * snapshot. The rows have as many columns as the widest table; each begins with the number of its table, and ends with
 * nulls.
 * @param copy runs a query, and returns its rows in the text format of COPY
 */
export async function* partsOf(
  wanted: readonly WantedRows[],
  tenant: string,
  copy: (query: string) => Readable,
): AsyncGenerator<PartOfTable> {
  const widest = Math.max(...wanted.map(({ columns }) => columns.length));
  const selects = wanted.map(({ name, columns, condition = "true" }, index) => {
    const filling = Array<string>(widest - columns.length).fill("null::text");
    const values = columns.map((column) => `${column}::text`);
    return `select ${[index, ...filling, ...values].join(", ")} from ${name} where ${name === "tenants" ? "id" : "tenant_id"} = ${BigInt(tenant)} and ${condition}`;
  });
  const lines = linesOf("the tenant", copy(selects.join(" union all ")));
  let line = await lines.next();

  async function* linesOfTable(index: number, fillings: number): AsyncGenerator<Buffer> {
    const prefix = `${index}\t${"\\N\t".repeat(fillings)}`.length;
    for (; line.done !== true && numberOf(line.value) === index; line = await lines.next()) {
      yield line.value.subarray(prefix);
    }
  }

  while (line.done !== true) {
    const index = numberOf(line.value);
    const { name, columns } = wanted[index] as WantedRows;
    yield { table: { name, columns }, pieces: gathered(linesOfTable(index, widest - columns.length)) };
  }
}

function numberOf(line: Buffer): number {
  return Number.parseInt(line.toString("latin1", 0, 8), 10);
}
