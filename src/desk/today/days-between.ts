/** The days from one date to another, both as `2026-12-02`. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from.slice(0, 10)).until(to.slice(0, 10), { largestUnit: "days" }).days;
}
