import { choicesAmong, type Choice } from "../../../kit/web/forms/select.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { UserEver } from "../../../people/users/user-queries.ts";
import { statuses } from "../company-filters.ts";
import { companyStatuses } from "../company-words.ts";

/** Active users, by their names. */
export type Users = readonly { id: string; name: string }[];

export function statusChoices(language: Language): Choice[] {
  return choicesAmong(companyStatuses[language], statuses);
}

/** The users of an owner filter: also those who left, behind the others. */
export function ownerChoices(users: readonly UserEver[], anybody: string, left: (name: string) => string): Choice[] {
  return [
    { value: "", label: anybody },
    ...users.map(({ id, name, hasLeft }) => ({ value: id, label: hasLeft ? left(name) : name })),
  ];
}

/**
 * Nobody, and the users. A user who was chosen and is not active any more stays in the list by the number, so that
 * saving changes nothing.
 */
export function userChoices(users: Users, chosen: string, nobody: string): Choice[] {
  const active = users.map(({ id, name }) => ({ value: id, label: name }));
  const isOther = chosen !== "" && !users.some(({ id }) => id === chosen);
  return [{ value: "", label: nobody }, ...active, ...(isOther ? [{ value: chosen, label: `#${chosen}` }] : [])];
}
