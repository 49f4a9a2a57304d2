import { membersReader } from "../platform/fields/reader.ts";
import { companyMembers } from "./company-json.ts";

/** A company's row by the names of its members, for pages. */
export const companyRow = membersReader(companyMembers);
