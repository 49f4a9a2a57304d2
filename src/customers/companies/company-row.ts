import type { Member } from "../../platform/fields/json.ts";
import { membersReader } from "../../platform/fields/reader.ts";
import { companyStoredMembers } from "./company-json.ts";

/** The beginning of a company's row: its members, and as `owner` the name of the user whom `assigned_to` names. */
export const companyRowMembers: readonly Member[] = [...companyStoredMembers, { name: "owner", kind: "string" }];

/** A company's row by the names of its members, for pages. */
export const companyRow = membersReader(companyRowMembers);
