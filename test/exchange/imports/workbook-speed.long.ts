import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { poll, serve } from "../../program.ts";
import { startImportServer } from "./import-server.ts";
import { workbook } from "./workbooks.ts";

/** Companies in each file. */
const ROWS = 100_000;
const NAMES = ["name", "tax_id", "phone", "email", "city", "county", "country", "status", "employee_count"] as const;
const SECONDS = 900;
/** Of the server, whatever it imports. The check of either file needs most of it. */
const MOST_MEGABYTES = 300;

const server = await startImportServer();
const program = await serve({ ...server.environment, LIAISON_RATE_LIMIT: "0" });
const pid = String(program.process.pid);

/** The processor time of the program in seconds: other processes of the machine do not count. */
function processorSeconds(): number {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The most memory that the program has had, in megabytes. */
function peakMegabytes(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

type Seconds = { upload: number; check: number; write: number };

async function imported(file: string, content: Uint8Array<ArrayBuffer>): Promise<Seconds> {
  const member = await signedIn({ deps: server.deps, url: program.url }, await server.createTenant());
  const marks = [processorSeconds()];
  const settled = async () => {
    await poll(
      "the end of the import's job",
      async () => !(await member.get(path)).text.includes("data-refresh"),
      SECONDS,
    );
    marks.push(processorSeconds());
  };
  const path = String((await member.upload("/imports", { kind: "companies" }, { [file]: content })).location);
  marks.push(processorSeconds());
  await settled();
  await member.post(`${path}/start`);
  await settled();
  const [begin = 0, uploaded = 0, checked = 0, end = 0] = marks;
  assert.match((await member.get(path)).text, new RegExp(`${ROWS.toLocaleString("en")} created`));
  return { upload: uploaded - begin, check: checked - uploaded, write: end - checked };
}

const total = ({ upload, check, write }: Seconds) => upload + check + write;

test("a workbook is imported at least half as fast as the same CSV, and neither needs 300 MB", async (context) => {
  const rows = Array.from({ length: ROWS }, (_, at) => [
    `Panificația ${at} SRL`,
    `X${at}`,
    `+40 264 ${String(at).padStart(6, "0")}`,
    `office@company-${at}.example`,
    `City ${at % 300}`,
    `County ${at % 41}`,
    "Romania",
    "active",
    at % 500,
  ]);
  const csv = Buffer.from([NAMES, ...rows].map((cells) => cells.join(",")).join("\n"));
  const xlsx = workbook([{ name: "Companies", rows: [[...NAMES], ...rows] }]);
  const asCsv = await imported("companies.csv", new Uint8Array(csv));
  const peak = peakMegabytes();
  const asWorkbook = await imported("companies.xlsx", new Uint8Array(xlsx));
  context.diagnostic(JSON.stringify({ asCsv, asWorkbook, peak, peakBoth: peakMegabytes() }));
  assert.ok(total(asCsv) / total(asWorkbook) >= 0.5, `${total(asCsv)} s and ${total(asWorkbook)} s`);
  assert.ok(peakMegabytes() < MOST_MEGABYTES, `${peakMegabytes()} MB, and ${peak} MB of the CSV alone`);
});
