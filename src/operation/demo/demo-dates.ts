import { now } from "../../platform/clock.ts";

/** The day on which the sample data is written: its dates are moved by the days between this and the first start. */
const WRITTEN_ON = Temporal.PlainDate.from("2026-11-28");

const DATE = /"(\d{4}-\d\d-\d\d)(T[\d:.]+Z)?"/g;

/** The samples with every date moved, so that a demo begins as if it were written today. */
export function movedToToday<T>(samples: T): T {
  const days = WRITTEN_ON.until(today(), { largestUnit: "days" }).days;
  const moved = new Map<string, string>();
  const text = JSON.stringify(samples).replaceAll(DATE, (_whole, date: string, time: string = "") => {
    const day = moved.getOrInsertComputed(date, () => Temporal.PlainDate.from(date).add({ days }).toString());
    return `"${day}${time}"`;
  });
  return JSON.parse(text) as T;
}

/** A time of day on a working day in the past: people write nothing on a weekend. @param days working days ago */
export function workingDaysAgo(days: number, time: string): string {
  let day = today();
  for (let left = days; left > 0; left -= day.dayOfWeek > 5 ? 0 : 1) day = day.subtract({ days: 1 });
  return `${day.toString()}T${time}:00Z`;
}

function today(): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO("UTC").toPlainDate();
}
