import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Place } from "../candidates/candidates.ts";
import { residentMegabytes } from "../candidates/process-usage.ts";
import { untilIdle } from "../load/before-and-after.ts";
import { median } from "../load/percentiles.ts";
import { companyAt } from "../tenants/dataset.ts";
import type { Figure } from "./figure.ts";
import { ended, startImport, writeCompanies } from "./import-process.ts";

const POLL_MS = 250;

/**
 * `liaison import` of companies beside COPY of the same rows into the same table, indexes and triggers: both into a
 * tenant that has none, one after the other.
 */
export async function importFigures(
  place: Place,
  rows: number,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const { owner, dataDir } = place;
  const file = path.join(os.tmpdir(), `liaison-bench-import-${process.pid}.csv`);
  writeCompanies(file, rows);
  const slug = `import-${process.pid}`;
  const { rows: created } = await owner.query("insert into tenants (slug, name) values ($1, $1) returning id", [slug]);
  const tenant = String(created[0]?.id);
  const remove = async () => {
    // The foreign keys would look for each of them in every contact there is.
    await owner.query("set session_replication_role = replica");
    await owner.query("delete from companies where tenant_id = $1", [tenant]);
    await owner.query("delete from company_count_changes where tenant_id = $1", [tenant]);
    await owner.query("delete from company_count_sums where tenant_id = $1", [tenant]);
    await owner.query("set session_replication_role = origin");
    await owner.query("vacuum companies");
    await untilIdle(owner);
  };
  // Both with what production has: the seed's own connection commits without waiting for the disk.
  await owner.query("set synchronous_commit = on");

  progress(`COPY of ${rows.toLocaleString("en")} companies`);
  const copyBegan = performance.now();
  await pipeline(
    Readable.from(copyText(tenant, rows)),
    owner.query(
      copyFrom(
        "copy companies (tenant_id, name, tax_id, phone, email, city, county, country, status, employee_count) from stdin",
      ),
    ),
  );
  const copied = performance.now() - copyBegan;
  await remove();

  const importBegan = performance.now();
  const importing = startImport(dataDir, { slug }, file);
  const memory: number[] = [];
  const watch = setInterval(() => {
    if (importing.exitCode !== null) return;
    memory.push(residentMegabytes(importing.pid ?? 0));
    const seconds = Math.round((performance.now() - importBegan) / 1_000);
    progress(`import of ${rows.toLocaleString("en")} companies: ${seconds} s, ${Math.round(memory.at(-1) ?? 0)} MB`);
  }, POLL_MS);
  await ended(importing).finally(() => clearInterval(watch));
  const imported = performance.now() - importBegan;
  const { rows: counted } = await owner.query("select count(*)::int as n from companies where tenant_id = $1", [
    tenant,
  ]);
  if (counted[0]?.n !== rows) throw new Error(`${counted[0]?.n} of ${rows} companies were imported`);
  await remove();
  await owner.query("delete from tenants where id = $1", [tenant]);
  fs.rmSync(file);
  const third = Math.floor(memory.length / 3);
  const growth = median(memory.slice(-third)) / median(memory.slice(third, 2 * third));
  const what = `import of ${rows.toLocaleString("en")} companies`;
  return [
    { name: `time of an ${what} / COPY of the same`, value: imported / copied, atMost: 4 },
    { name: `${what}: rows per second`, value: (1_000 * rows) / imported },
    { name: `${what}: most memory`, value: Math.max(...memory), unit: "MB" },
    { name: `${what}: memory in the last third / in the second`, value: growth, atMost: 1.1 },
  ];
}

function* copyText(tenant: string, rows: number): Generator<string> {
  for (let from = 0; from < rows; from += 500) {
    let text = "";
    for (let index = from; index < Math.min(from + 500, rows); index++) {
      const { name, phone, email, city, county, country, status, employee_count } = companyAt(
        60_000_000 + index,
        1_000_000,
      );
      const encrypted = `1:${Buffer.from(phone.padEnd(40)).toString("base64")}`;
      const values = [tenant, name, `CSV${index}`, encrypted, email, city, county, country, status, employee_count];
      text += `${values.join("\t")}\n`;
    }
    yield text;
  }
}
