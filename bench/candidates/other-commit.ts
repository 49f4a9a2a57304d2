import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { stopProcess } from "../load/processes.ts";
import type { Generator } from "../load/worker.ts";
import type { Options } from "../options.ts";
import { ROOT, dataDirectory } from "../tenants/data-directory.ts";
import type { seed } from "../tenants/seed.ts";
import type { Candidate, Place } from "./candidates.ts";
import { openPlace } from "./seeded-place.ts";
import { startCompiled } from "./servers.ts";

/**
 * The product of another commit. Its packages are this checkout's unless its lock file says others: then they are
 * installed. Where its migrations are others than ours it has a database of its own, with the same tenants, which its
 * own checkout seeds; else ours.
 */
export async function startCompared(
  options: Options,
  ours: Place,
  generator: Generator,
  progress: (message: string) => void,
): Promise<Candidate & { root: string }> {
  const directory = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "liaison-bench-")), "checkout");
  const add = ["worktree", "add", "--quiet", "--detach", directory, options.compare ?? ""];
  execFileSync("git", add, { cwd: ROOT, stdio: "inherit" });
  let close = async () => {};
  const remove = async () => {
    await close();
    execFileSync("git", ["worktree", "remove", "--force", directory], { cwd: ROOT, stdio: "inherit" });
    fs.rmSync(path.dirname(directory), { recursive: true, force: true });
  };
  try {
    provide(directory, progress);
    const dataDir = dataDirectory("full", directory);
    let place = ours;
    if (dataDir !== dataDirectory("full")) {
      const [now, before] = ["bench/tenants", "bench"].map((at) => path.join(directory, at, "seed.ts")) as [
        string,
        string,
      ];
      const { href } = pathToFileURL(fs.existsSync(now) ? now : before);
      const { seed: seedWith } = (await import(href)) as { seed: typeof seed };
      ({ place, close } = await openPlace(dataDir, options, progress, seedWith));
    }
    const server = await startCompiled("compared", directory, place.dataDir);
    const stop = async () => {
      await stopProcess(server.process);
      await remove();
    };
    return { ...server, name: "compared", generator, place, root: directory, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Gives a checkout its packages. */
function provide(directory: string, progress: (message: string) => void): void {
  const [ours, theirs] = [ROOT, directory].map((each) => fs.readFileSync(path.join(each, "package-lock.json"), "utf8"));
  if (ours === theirs) return fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  progress("installing the other commit's packages");
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", "--include=dev", ...quietly], { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
}
