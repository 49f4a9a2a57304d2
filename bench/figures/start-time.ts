import { startProduct } from "../candidates/servers.ts";
import { median } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";

const STARTS = 3;

/** Seconds from the start of the program, its PostgreSQL included, to the first answer about a company. */
export async function startFigure(dataDir: string, { token, firstCompany, companies }: SeededTenant): Promise<Figure> {
  const seconds: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const began = performance.now();
    const server = await startProduct("product", ROOT, dataDir);
    const headers = { authorization: `Bearer ${token}` };
    const { ok } = await fetch(`${server.url}/api/v1/companies/${firstCompany}`, { headers });
    seconds.push((performance.now() - began) / 1_000);
    await stopProcess(server.process);
    if (!ok) throw new Error("the first answer was no company");
  }
  const name = `start to the first answer, ${companies.toLocaleString("en")} companies there`;
  return { name, value: median(seconds), unit: "s", atMost: 2 };
}
