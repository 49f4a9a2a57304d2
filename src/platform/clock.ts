/** Milliseconds since the epoch. Only this function reads the machine's time. */
export function now(): number {
  return Date.now();
}

/** More than the usual difference between the two clocks. */
const SLEPT_MS = 1_000;
let wall = now();
let machine = performance.now();
let passed = 0;

/**
 * Milliseconds that never go back, even if somebody sets the machine's time back. They include its sleep. Only
 * its time shows that, so a time that is set forward counts too.
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

/** The outcome of some work. Throws the error that `late` makes after these milliseconds; the work itself goes on. */
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
