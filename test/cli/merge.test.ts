import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { createInstallation, requester } from "./installation.ts";

const { dataDir, json, run, serve } = await createInstallation();
await json(["tenant", "create", "acme", "--name", "Acme"]);
const key = ["key", "create", "--tenant", "acme", "--name", "Shop", "--capabilities", "companies:write,contacts:write"];
const { token } = await json(key);
const send = requester(await serve(), token);

async function company(name: string): Promise<number> {
  return (await send("POST", "/api/v1/companies", { name })).body.data.id;
}

async function csv(text: string): Promise<string> {
  const file = path.join(dataDir, "..", `pairs-${process.pid}.csv`);
  await fs.writeFile(file, text);
  return file;
}

type Line = { line: number; outcome: string; merge_id?: number; errors?: Record<string, string[]> };
const outcomes = ({ lines }: { lines: Line[] }) => lines.map(({ line, outcome }) => [line, outcome]);

test("a file of pairs is merged line by line, tried before, and can be run again", async () => {
  const [a, b, c, d] = [await company("A"), await company("B"), await company("C"), await company("D")];
  await send("POST", `/api/v1/companies/${b}/contacts`, { first_name: "Ion", last_name: "Marin" });
  const pairs = [`${a},${b}`, `${c},${a}`, `${d},${b}`, `${d},${d}`, `${d},x`, "999999,4", `${d},"`, ""];
  const file = await csv(`\uFEFFkeep,From\n${pairs.join("\n")}\n`);
  const merge = ["merge", "--tenant", "acme", file];
  const expected = [
    [2, "merged"],
    [3, "merged"],
    [4, "rejected"],
    [5, "rejected"],
    [6, "rejected"],
    [7, "rejected"],
    [8, "rejected"],
  ];
  const tried = await json([...merge, "--dry-run"]);
  assert.deepEqual(outcomes(tried), expected);
  assert.equal((await send("GET", `/api/v1/companies/${b}`)).status, 200, "nothing changed");

  const { code, stdout } = await run(merge);
  const told = stdout.split("\n");
  assert.deepEqual([code, told[0]], [0, "2 merged, 0 merged before, 5 rejected."]);
  assert.match(String(told[1]), new RegExp(`^line 2: ${b} merged into ${a} \\(merge \\d+\\), with contacts: 1\\.$`));
  assert.match(String(told[3]), new RegExp(`^line 4: Company ${b} was merged into ${c}\\.$`));
  assert.equal((await send("GET", `/api/v1/companies/${b}`)).headers.get("x-merged-into"), String(c));

  const again = await json(merge);
  assert.deepEqual(outcomes(again), [[2, "unchanged"], [3, "unchanged"], ...expected.slice(2)]);
  const wrong = await run(["merge", "--tenant", "acme", await csv("keep,other\n1,2\n")]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /from/);
});
