import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { stopProcess } from "../load/processes.ts";
import type { Generator } from "../load/worker.ts";
import { ROOT, dataDirectory } from "../tenants/data-directory.ts";
import type { Candidate, Place } from "./candidates.ts";
import { startProduct } from "./servers.ts";

/**
 * The product of another commit, on the same data. Its packages are this checkout's.
 * Throws where its migrations differ from ours: it would need another database, with other rows in other places.
 */
export async function startCompared(commit: string, place: Place, generator: Generator): Promise<Candidate> {
  const directory = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "liaison-bench-")), "checkout");
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", directory, commit], { cwd: ROOT, stdio: "inherit" });
  const remove = () => {
    execFileSync("git", ["worktree", "remove", "--force", directory], { cwd: ROOT, stdio: "inherit" });
    fs.rmSync(path.dirname(directory), { recursive: true, force: true });
  };
  try {
    if (dataDirectory("", directory) !== dataDirectory("")) {
      throw new Error(`The migrations of ${commit} are others than these: there is no common data to compare on.`);
    }
    fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
    const server = await startProduct("compared", directory, place.dataDir);
    const stop = async () => {
      await stopProcess(server.process);
      remove();
    };
    return { ...server, name: "compared", generator, place, stop };
  } catch (error) {
    remove();
    throw error;
  }
}
