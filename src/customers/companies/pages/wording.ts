import type { Wording } from "../../../kit/changes/change-words.ts";
import type { Deps } from "../../../kit/deps.ts";
import { day, decimal } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { usersEver } from "../../../people/users/user-queries.ts";
import { withCustomWording } from "../../custom-fields/custom-inputs.ts";
import { customTable } from "../../custom-fields/defined-fields.ts";
import { companyLabels, companyStatuses } from "../company-words.ts";

/** The wording of changes of companies: users by name, statuses and days as people read them. */
export async function companyWording({ database }: Deps, { actor, language, session }: PageRequest): Promise<Wording> {
  const users = new Map((await usersEver(actor.tenant, database)).map(({ id, name }) => [id, name]));
  const custom = await customTable(actor.tenant, database, "company");
  return withCustomWording(custom, {
    labels: companyLabels[language],
    language,
    timeZone: session.workspace.timeZone,
    value(field, value) {
      if (field === "assigned_to") return users.get(value) ?? `#${value}`;
      if (field === "status") return companyStatuses[language][value] ?? value;
      if (field === "credit_limit") return decimal(language, value);
      return field === "callback_date" ? day(language, value) : value;
    },
  });
}
