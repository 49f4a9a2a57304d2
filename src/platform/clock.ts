/** Milliseconds since the epoch. The only place that asks the machine for the time. */
export function now(): number {
  return Date.now();
}
