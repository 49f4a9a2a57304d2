import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type pg from "pg";

const CLOCK_TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Seconds of processor time that a process has used so far. */
export function cpuSeconds(pid: number): number {
  return cpuTicks(statOf(pid)) / CLOCK_TICKS;
}

/** The process id of a cluster's first process. */
export async function postmasterOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query("show data_directory");
  const pidFile = path.join(String(rows[0]?.data_directory), "postmaster.pid");
  return Number(fs.readFileSync(pidFile, "utf8").split("\n")[0]);
}

/** Seconds of processor time that a process and its children have used so far: a cluster, or a server of several. */
export function familyCpuSeconds(parent: number): number {
  const children = fs
    .readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => statOf(Number(entry)))
    .filter((stat) => stat[1] === String(parent));
  const server = statOf(parent);
  return [server, ...children].reduce((sum, stat) => sum + cpuTicks(stat), ticksOfEnded(server)) / CLOCK_TICKS;
}

/**
 * Seconds of processor time, of all processors, that passed so far, and that a virtual machine's host gave to others
 * instead.
 */
export function machineSeconds(): { all: number; stolen: number } {
  const [total = ""] = fs.readFileSync("/proc/stat", "utf8").split("\n");
  // user, nice, system, idle, iowait, irq, softirq, steal; behind them come parts of these.
  const ticks = total.split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0) / CLOCK_TICKS, stolen: (ticks[7] ?? 0) / CLOCK_TICKS };
}

/** The resident memory of a process, in MB. */
export function residentMegabytes(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** The fields of /proc/PID/stat behind the command's name: state, parent, ...; empty where the process is gone. */
function statOf(pid: number): string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Of the children that have ended: parallel workers live for one statement. */
function ticksOfEnded(stat: string[]): number {
  return Number(stat[13] ?? 0) + Number(stat[14] ?? 0);
}

function cpuTicks(stat: string[]): number {
  return Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
}
