/** Milliseconds since the epoch. The only place that asks the machine for the time. */
export function now(): number {
  return Date.now();
}

/** Beyond what the two clocks differ by themselves. */
const SLEPT_MS = 1_000;
let wall = now();
let machine = performance.now();
let passed = 0;

/**
 * Milliseconds as they pass, whatever the machine's time is set to: it never goes back. That the machine slept counts, which
 * only its time knows; so the time that is set forward counts too.
 */
export function steady(): number {
  const [wallPassed, machinePassed] = [now() - wall, performance.now() - machine];
  wall += wallPassed;
  machine += machinePassed;
  passed += wallPassed - machinePassed > SLEPT_MS ? wallPassed : machinePassed;
  return passed;
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
