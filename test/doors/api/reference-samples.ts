import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { request, type TestServer } from "../../harness.ts";
import { runCommand } from "./console.ts";
import { everyRoute } from "./every-route.ts";
import { idsOf, pathWith, situationFor } from "./route-situations.ts";

const run = promisify(execFile);
export const ROOT = path.join(import.meta.dirname, "../../..");
export const CLIENT = path.join(ROOT, "clients/typescript/src/index.ts");
const programs: Record<string, string> = { TypeScript: process.execPath, Python: "python3", PHP: "php" };
const ends: Record<string, string> = { TypeScript: "ts", Python: "py", PHP: "php" };
/** The languages that this machine has. */
export const here = Object.keys(programs).filter((name) => spawnSync(programs[name] ?? "", ["--version"]).status === 0);

/** A request in each language, by the languages' names. */
export type Samples = { title: string; method: string; route: string; samples: Map<string, string> };

/** The samples of every page of the reference. */
export async function samplesOfReference(server: TestServer): Promise<Samples[]> {
  const { text } = await request(server.url, "GET", "/llms.txt");
  const twins = [...text.matchAll(/\]\((\/docs(?:\/api\/[^)]*)?\.md)\)/g)].map(([, twin = ""]) => twin);
  const pages = await Promise.all(twins.map(async (twin) => (await request(server.url, "GET", twin)).text));
  return pages.flatMap((page) =>
    page.split(/^## /m).flatMap((section) => {
      const blocks = [...section.matchAll(/^\*\*(\w+)\*\*\n\n```(?:sh|ts|python|php)\n([^]*?)^```/gm)];
      const samples = new Map(blocks.map(([, name = "", code = ""]) => [name, code]));
      if (samples.size === 0) return [];
      // The first page's samples are of the list of companies.
      const [, method = "GET", route = "/api/v1/companies"] = /^`(\w+)[^`]*? (\/api\/[^`]*)`/m.exec(section) ?? [];
      return [{ title: section.slice(0, section.indexOf("\n")), method, route, samples }];
    }),
  );
}

/** Tests of samples: they are run as they stand there, in the languages that this machine has. */
export function testSamples(server: TestServer, found: readonly Samples[]): void {
  const folder = folderOfSamples();
  for (const { title, method, route, samples } of found) {
    test(`the samples of "${title}" (${method} ${route}) do what they say`, async () => {
      const row = everyRoute.find((each) => each.path === route && each.method === method);
      assert.ok(row !== undefined);
      const written = pathWith(
        row,
        row.models.map(() => 1),
      );
      // Each language begins with a tenant of its own: numbers of invoices may be used once.
      const prepared = async (language: string) => {
        const own = await server.createTenant();
        const ids = idsOf(row, await situationFor(row, server, own));
        const code = (samples.get(language) ?? "")
          .replaceAll(written, pathWith(row, ids))
          .replace(/(client\.[\w.]+\()1(?:, 1)?(?=[,)])/, (_, call: string) => `${call}${ids.join(", ")}`);
        return { code, variables: { LIAISON: server.url, TOKEN: own.token } };
      };

      const { code: curl, variables } = await prepared("curl");
      const printed = await runCommand(`${curl.replaceAll("\\\n", "").trim()} -w ' %{http_code}'`, variables);
      assert.ok(printed.endsWith(` ${row.status}`), printed);

      const runs = here.map(async (language) => {
        const { code, variables } = await prepared(language);
        const file = path.join(folder, `${title.replaceAll(/\W/g, "-")}.${ends[language]}`);
        fs.writeFileSync(file, code.replace('"liaison-client"', JSON.stringify(pathToFileURL(CLIENT).href)));
        const env = { PATH: process.env.PATH ?? "", ...variables };
        const { stdout, stderr } = await run(programs[language] ?? "", [file], { env });
        assert.equal(stderr, "", language);
        assert.ok(stdout.trim() !== "" || row.method === "DELETE", `${language} prints the answer`);
      });
      await Promise.all(runs);
    });
  }
}

/** A folder that is gone at the end. */
export function folderOfSamples(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-samples-"));
  after(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}
