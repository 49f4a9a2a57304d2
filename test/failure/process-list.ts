import { spawnSync } from "node:child_process";
import fs from "node:fs";

export type Listed = { pid: number; parent: number; command: string };

/** The processes whose parent this is. */
export function childrenOf(parent: number): number[] {
  return processes()
    .filter((process) => process.parent === parent)
    .map(({ pid }) => pid);
}

/** Sends a signal to processes, of which some may have ended since they were listed. */
export function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** All that run here. From /proc where there is one: a slim container has no ps. */
export function processes(): Listed[] {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
    return [...stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)].map(([, pid, parent, command = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      command,
    }));
  }
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        const [, parent] = /^PPid:\s*(\d+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
        return [{ pid: Number(pid), parent: Number(parent), command }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}
