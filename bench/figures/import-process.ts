import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "../tenants/data-directory.ts";
import { companyAt } from "../tenants/dataset.ts";
import type { SeededTenant } from "../tenants/seed.ts";

/** A file that `liaison import companies` takes. */
export function writeCompanies(file: string, rows: number): void {
  const columns = ["name", "tax_id", "phone", "email", "city", "county", "country", "status", "employee_count"];
  writeRows(file, columns, rows, (index) => ({
    ...companyAt(60_000_000 + index, 1_000_000),
    tax_id: `CSV${index}`,
  }));
}

/** Writes a file with these columns and number of rows. No value needs quotation marks. */
export function writeRows(
  file: string,
  columns: readonly string[],
  rows: number,
  rowAt: (index: number) => Readonly<Record<string, string | number | null>>,
): void {
  const descriptor = fs.openSync(file, "w");
  fs.writeSync(descriptor, `${columns.join(",")}\n`);
  for (let from = 0; from < rows; from += 1_000) {
    let text = "";
    for (let index = from; index < Math.min(from + 1_000, rows); index++) {
      const row = rowAt(index);
      text += `${columns.map((name) => row[name] ?? "").join(",")}\n`;
    }
    fs.writeSync(descriptor, text);
  }
  fs.closeSync(descriptor);
}

type ImportOptions = {
  complaints?: "inherit" | "ignore";
  kind?: "companies" | "invoices";
  /** The checkout whose command it is. */
  root?: string;
};

/** Starts `liaison import`. */
export function startImport(
  dataDir: string,
  { slug }: Pick<SeededTenant, "slug">,
  file: string,
  { complaints = "inherit", kind = "companies", root = ROOT }: ImportOptions = {},
): ChildProcess {
  const parameters = ["import", kind, "--tenant", slug, file, "--json"];
  return spawn(process.execPath, [path.join(root, "src", "main.js"), ...parameters], {
    detached: true,
    stdio: ["ignore", "ignore", complaints],
    env: { ...process.env, NODE_ENV: "production", LIAISON_DATA_DIR: dataDir, LIAISON_DEMO: "off" },
  });
}

/** Waits for its end. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`${child.spawnargs.slice(1, 4).join(" ")} failed`);
}
