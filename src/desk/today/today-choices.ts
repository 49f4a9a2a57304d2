import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import type { Deps } from "../../kit/deps.ts";
import { chosenColumns, storeColumns } from "../../kit/tables/column-queries.ts";
import type { Choosable } from "../../kit/tables/columns.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { ownsCompany } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

/** The companies that the page is about: mine, everybody's, or those without an owner. */
const whoses = ["mine", "all", "nobody"] as const;
export type Whose = (typeof whoses)[number];

const groups = ["calls", "needs", "unsent", "promises", "overdue"] as const;
export type GroupName = (typeof groups)[number];

const labelsIn = (language: "en" | "ro") => {
  const { calls, orders, toSend, promises, overdue } = todayWords[language];
  return { labels: { calls, needs: orders, unsent: toSend, promises, overdue } };
};

/** The groups of the page, which a user can hide as the columns of a list. */
export const todayGroups = {
  name: "today",
  columns: groups.map((name) => ({ name })),
  words: { en: labelsIn("en"), ro: labelsIn("ro") },
} satisfies Choosable;

/** The key of the stored `whose`, beside those of lists. */
const WHOSE = "today whose";

/** The owner of the companies that the page is about, as isOwnedBy. */
export function assignedToOf(whose: string | undefined, { session }: PageRequest): string | null {
  return whose === "all" ? null : whose === "nobody" ? NO_OWNER : session.user.id;
}

/**
 * The user's choices: the groups, and whose items they have. A choice of `mine` or `all` in the address is stored. A
 * user who has not chosen and owns no company sees everybody's items.
 */
export async function choicesOf({ database }: Deps, { actor, query, session }: PageRequest) {
  const { tenant } = actor;
  const userId = session.user.id;
  const asked = whoses.find((each) => each === query.get("whose"));
  const [chosen, stored, owns] = await Promise.all([
    chosenColumns(tenant, database, userId, todayGroups.name),
    chosenColumns(tenant, database, userId, WHOSE),
    ownsCompany(tenant, database, userId),
  ]);
  const kept = whoses.find((each) => each === stored?.[0]);
  if (asked !== undefined && asked !== "nobody" && asked !== kept)
    await storeColumns(tenant, database, userId, WHOSE, [asked]);
  const whose: Whose = asked ?? kept ?? (owns ? "mine" : "all");
  return { whose, shown: groups.filter((name) => chosen?.includes(name) ?? true) };
}
