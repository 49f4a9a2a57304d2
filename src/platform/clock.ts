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

/** The outcome of some work; throws what `late` makes where it takes longer than so many milliseconds. */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
