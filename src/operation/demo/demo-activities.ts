import type { Value } from "../../platform/fields/validation.ts";
import type { DemoCompany } from "./demo-data.ts";
import { workingDaysAgo } from "./demo-dates.ts";
import { demoTable } from "./demo-table.ts";

/** An activity of the demo; its company, contact and user are indexes in the samples. */
export type DemoActivity = {
  company: number;
  /** The place among the company's contacts; null: of the company itself. */
  contact: number | null;
  user: number;
  kind: string;
  note: string;
  at: string;
};

const USERS = 3;

/** Three weeks of calls, e-mails, meetings and notes: the first firms' in data/, and two each of some others. */
export function demoActivities(companies: readonly DemoCompany[]): DemoActivity[] {
  const places = new Map(companies.map(({ fields }, index) => [fields.tax_id, index]));
  const written = demoTable("activities").map((row) => ({
    company: places.get(row.company_tax_id) ?? 0,
    contact: row.contact === undefined ? null : Number(row.contact),
    user: Number(row.user),
    kind: String(row.kind),
    note: String(row.note),
    at: workingDaysAgo(Number(row.days), String(row.time)),
  }));
  const first = written.length === 0 ? 0 : Math.max(...written.map(({ company }) => company)) + 1;
  const sentences = demoTable("words").filter(({ kind = "" }) => ["call", "email", "meeting", "note"].includes(kind));
  const others = companies.flatMap(({ owner }, company): DemoActivity[] => {
    if (company < first || company % 3 === 0) return [];
    return [1, 2].map((turn) => {
      const { kind = "", word = "" } = sentences[(company * 3 + turn * 7) % sentences.length] ?? {};
      const days = 1 + ((company * 5 + turn * 7) % 15);
      const time = `${String(6 + ((company + turn * 3) % 8)).padStart(2, "0")}:${String((company * 7) % 60).padStart(2, "0")}`;
      const user = turn === 1 && owner !== undefined ? owner % USERS : (company + turn) % USERS;
      return { company, contact: kind === "note" ? null : 0, user, kind, note: word, at: workingDaysAgo(days, time) };
    });
  });
  return [...written, ...others].toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** The last contact by company, or by company and place of the contact: a note is none. */
export function lastContacts(
  activities: readonly DemoActivity[],
  keyOf: (activity: DemoActivity) => string | null,
): ReadonlyMap<string, Value> {
  const said = activities.filter(({ kind }) => kind !== "note");
  return new Map(
    said.flatMap((activity) => {
      const key = keyOf(activity);
      return key === null ? [] : [[key, activity.at] as const];
    }),
  );
}
