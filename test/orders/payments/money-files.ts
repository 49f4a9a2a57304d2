import assert from "node:assert/strict";
import { settled } from "../../exchange/pages/settled-import.ts";
import { DAYS, invoicesOf, oneOf, paymentsOf, type Stage } from "./money-stage.ts";

/** Imports a file on the pages. Returns its path, and the payments that it made. */
export async function imported(stage: Stage, kind: string, csv: string): Promise<{ path: string; payments: string[] }> {
  const { member } = stage;
  const before = new Set(await paymentsOf(stage));
  const { location } = await member.upload("/imports", { kind }, { "file.csv": csv });
  const path = String(location);
  await settled(member, path);
  assert.deepEqual(new Set(await paymentsOf(stage)), before, "a check writes nothing");
  await member.post(`${path}/start`);
  await settled(member, path);
  return { path, payments: (await paymentsOf(stage)).filter((id) => !before.has(id)) };
}

/** Undoes an import. @param made the payments that it made */
export async function undone(stage: Stage, path: string, made: readonly string[]): Promise<void> {
  const before = await paymentsOf(stage);
  await stage.member.post(`${path}/undo`);
  await settled(stage.member, path);
  const [after, ours] = [new Set(await paymentsOf(stage)), new Set(made)];
  assert.deepEqual(
    before.filter((id) => !after.has(id) && !ours.has(id)),
    [],
    "an undo deletes what its import made, and no other payment",
  );
}

/** Rows of a bank's file, each with an amount above those of all other payments, and one of them twice. */
export async function bankRows(stage: Stage, count: number): Promise<string[]> {
  const invoices = await invoicesOf(stage, "i.status in ('issued', 'paid') and i.total is not null");
  const rows = Array.from({ length: invoices.length === 0 ? 0 : count }, () => {
    const { number } = oneOf(stage, invoices);
    return `${oneOf(stage, DAYS)},${stage.random(4) === 0 ? "-" : ""}${stage.next()}.00,payment of invoice ${number}`;
  });
  return [...rows, ...rows.slice(0, 1)];
}

export const bankFile = (rows: readonly string[]) => `paid_on,amount,text\n${rows.join("\n")}\n`;
