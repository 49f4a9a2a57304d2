import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const STOP_TIMEOUT_MS = 30_000;

/**
 * Each process has a session of its own (`detached`), as services and their clients have: Linux shares a processor
 * between sessions first (autogroup), and each of PostgreSQL's processes is one.
 */
const children = new Map<ChildProcess, NodeJS.Signals>();
// An interrupted benchmark leaves nothing running; the last server to go stops the cluster.
process.on("exit", () => {
  for (const [child, signal] of children) child.kill(signal);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** Without it, the child of an interrupted benchmark would go on. */
export function endWithUs(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): void {
  children.set(child, signal);
  child.once("exit", () => children.delete(child));
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  child.kill("SIGTERM");
  await once(child, "exit");
  clearTimeout(kill);
}
