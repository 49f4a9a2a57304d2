import { dayIn } from "../../kit/web/forms/typed.ts";
import { parseDate } from "../../platform/dates.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";

/** The periods with a name, each until today. */
export const periods = ["month", "quarter", "year", "12_months"] as const;
export type PeriodName = (typeof periods)[number];
const USUAL: PeriodName = "quarter";

export const units = ["week", "month", "year"] as const;
/** Columns of a picture. */
export type Unit = (typeof units)[number];

/** Days, each `YYYY-MM-DD`, and the same days of the year before. */
export type Period = {
  /** Null: from and to days. */
  name: PeriodName | null;
  from: string;
  to: string;
  beforeFrom: string;
  beforeTo: string;
  unit: Unit;
};

/** Days of a period in weeks, and in months. A longer one has a column for each year. */
const [MOST_OF_WEEKS, MOST_OF_MONTHS] = [100, 1_100];
/** Years of a period. */
const MOST_YEARS = 30;

/**
 * The period of a query (`period`, or `from` and `to`); null if its days are none, in the wrong order, or more than
 * MOST_YEARS apart.
 */
export function parsePeriod(query: Query, today: string): Period | null {
  const [from, to] = [query.get("from"), query.get("to")];
  if (from === undefined && to === undefined) {
    return namedPeriod(periods.find((each) => each === query.get("period")) ?? USUAL, today);
  }
  const last = to === undefined ? today : parseDate(dayIn(to));
  if (last === null) return null;
  const first = from === undefined ? `${last.slice(0, 4)}-01-01` : parseDate(dayIn(from));
  if (first === null || first > last || Number(last.slice(0, 4)) - Number(first.slice(0, 4)) > MOST_YEARS) return null;
  return first.startsWith("0001") ? null : periodOf(null, first, last);
}

export function namedPeriod(name: PeriodName, today: string): Period {
  return periodOf(name, firstDay(name, today), today);
}

function firstDay(name: PeriodName, today: string): string {
  const day = Temporal.PlainDate.from(today).with({ day: 1 });
  if (name === "month") return day.toString();
  if (name === "quarter") return day.subtract({ months: (day.month - 1) % 3 }).toString();
  return name === "year" ? day.with({ month: 1 }).toString() : day.subtract({ months: 11 }).toString();
}

function periodOf(name: PeriodName | null, from: string, to: string): Period {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const { days } = first.until(last, { largestUnit: "days" });
  const [beforeFrom, beforeTo] = [first, last].map((day) => day.subtract({ years: 1 }).toString());
  const unit = days < MOST_OF_WEEKS ? "week" : days < MOST_OF_MONTHS ? "month" : "year";
  return { name, from, to, beforeFrom: String(beforeFrom), beforeTo: String(beforeTo), unit };
}

/** The first day of each column of a period: its number is the place in the list. Weeks begin on Monday. */
export function columnDays({ from, to, unit }: Period): string[] {
  const first = Temporal.PlainDate.from(from);
  const start =
    unit === "week"
      ? first.subtract({ days: first.dayOfWeek - 1 })
      : first.with(unit === "month" ? { day: 1 } : { day: 1, month: 1 });
  const days: string[] = [];
  for (let day = start; day.toString() <= to; day = start.add({ [`${unit}s`]: days.length })) days.push(day.toString());
  return days.map((day) => (day < from ? from : day));
}
