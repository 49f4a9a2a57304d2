/** Milliseconds since the epoch. The only place that asks the machine for the time. */
export function now(): number {
  return Date.now();
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
