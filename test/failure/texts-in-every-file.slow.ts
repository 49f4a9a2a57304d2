import assert from "node:assert/strict";
import { after, test } from "node:test";
import { kindNames, kindOf } from "../../src/exchange/imports/kinds.ts";
import { columnNames } from "../../src/exchange/imports/reading/header.ts";
import { startWorker } from "../../src/kit/jobs/run-jobs.ts";
import { jobKinds } from "../../src/worker.ts";
import { signedIn } from "../doors/pages/visitor.ts";
import { startServer } from "../harness.ts";
import { poll } from "../program.ts";
import { endlessTexts, marks } from "./endless-texts.ts";
import { firstTooCostly, TELLING } from "./silence.ts";

/**
 * Every column of every kind of file, and its first line, has texts that are as long as a row may be; the worker is in
 * this process, too.
 */

const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const stop = new AbortController();
const worker = startWorker(server.deps, jobKinds, { stop: stop.signal, pollMs: 20 });
after(async () => {
  stop.abort();
  await worker.ended;
});

const ROW_BYTES = 1_000_000;
/** Of a row with a text of each kind: PostgreSQL stores the whole file. */
const OTHERS_BYTES = 50_000;

/** Uploads a file, has it checked, and imports it, as far as that goes. */
async function importing(kind: string, csv: string): Promise<void> {
  const uploaded = await member.upload("/imports", { kind, clears_empty: "1" }, { "file.csv": csv });
  if (uploaded.location === null) return assert.equal(uploaded.status, 422, uploaded.text);
  const settled = async () => {
    await poll("the end of the import's job", async () => {
      return !(await member.get(String(uploaded.location))).text.includes("data-refresh");
    });
  };
  await settled();
  await member.post(`${uploaded.location}/start`);
  await settled();
}

const quoted = (text: string) => `"${text.toWellFormed().replaceAll('"', '""')}"`;

/** A row of some columns, with a text in those that are meant. */
const rowOf = (columns: readonly string[], text: string, isMeant: (column: string) => boolean) =>
  columns.map((column) => (isMeant(column) ? quoted(text) : "1")).join(",");

for (const kind of kindNames) {
  test(`a file of ${kind} keeps nobody waiting, whatever texts are in it`, async () => {
    const columns = columnNames(kindOf(kind));
    const file = (rows: string[]) => [columns.join(","), ...rows].join("\n");
    const alone = columns.map((column) => rowOf(columns, marks.of(2 * TELLING), (each) => each === column));
    const together = endlessTexts.map(({ name, of }) => {
      const growth = Math.max(1, Buffer.byteLength(quoted(of(1_000))) / 1_000);
      const bytes = (name === marks.name ? ROW_BYTES : OTHERS_BYTES) / columns.length / growth;
      return rowOf(columns, of(bytes), () => true);
    });
    const attempts = [alone, together].map((rows, at) => [
      {
        what: at === 0 ? "a text in each column" : "texts in all columns",
        attempt: async () => await importing(kind, file(rows)),
      },
    ]);
    assert.deepEqual(await firstTooCostly(server, attempts), []);
  });
}

test("a first line of whatever text keeps nobody waiting", async () => {
  const attempts = endlessTexts.map(({ name, of }) => {
    const bytes = name.endsWith("marks") ? ROW_BYTES : OTHERS_BYTES;
    const line = of(bytes).toWellFormed().replaceAll("\r\n", " ");
    return [line, `name,${quoted(of(bytes / 3))},name`].map((first) => ({
      what: `a first line of ${name}`,
      attempt: async () => await importing("companies", `${first}\nA,B,C\n`),
    }));
  });
  assert.deepEqual(await firstTooCostly(server, attempts), []);
});
