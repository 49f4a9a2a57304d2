const PATIENCE_MS = 30_000;
const PAUSE_MS = 20;

/** Waits until the condition holds; fails, naming what was waited for, when it does not in time. */
export async function poll(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
