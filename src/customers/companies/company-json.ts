import { answering } from "../../kit/endpoint.ts";
import { externalIncluded, type Included } from "../../kit/external-ids/include-external.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { METADATA, type WithCustom } from "../../platform/fields/custom.ts";
import { externalMember } from "../../platform/fields/external-ids.ts";
import { groupsOf, ungroupedFields } from "../../platform/fields/grouped-fields.ts";
import { membersOf, membersWriter, TIMESTAMPS, type Member } from "../../platform/fields/json.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { companyFields } from "./company.ts";

/** The members of a company's JSON that are columns of its row, in their order. */
export const companyMembers: readonly Member[] = [
  { name: "id", kind: "number" },
  ...membersOf("companies", ungroupedFields(companyFields)),
  { name: "wms_subdomain", kind: "string" },
  { name: METADATA, kind: "custom" },
  ...TIMESTAMPS,
];

const termsMembers = membersOf("companies", groupsOf(companyFields).get("terms") ?? []);

/** The columns of a company's row, in order: its members, and those that JSON has only if a request asks for them. */
export const companyStoredMembers: readonly Member[] = [...companyMembers, ...termsMembers, externalMember];

const externalOf = externalIncluded(companyStoredMembers);
const TERMS = "terms";

/** The further members that the request asks for: `terms`, `external`. */
export function includedInCompany(query: Query): Included {
  const external = externalOf(query);
  if (!query.included.has(TERMS)) return external;
  return (row) => `,"${TERMS}":${termsJson(row)}${external(row)}`;
}

const ASSIGNED_TO = companyMembers.findIndex(({ name }) => name === "assigned_to");
/** Behind these columns come the assigned user's name and, of a single company, the two counts. */
const ASSIGNED_USER_NAME = companyStoredMembers.length;
const CONTACTS_COUNT = ASSIGNED_USER_NAME + 1;
const ADDRESSES_COUNT = ASSIGNED_USER_NAME + 2;

const writeMembers = membersWriter(companyMembers);

const companyState = stateReader(companyMembers, "updated_at");
export const companyAnswer = answering(companyJson, companyState);
export const companyWithCountsAnswer = answering(companyWithCountsJson, companyState);

function termsJson(row: Row): string {
  const [days = null, limit = null] = row.slice(companyMembers.length, companyMembers.length + termsMembers.length);
  return `{"payment_days":${days},"credit_limit":${JSON.stringify(limit)}}`;
}

type CompanySecrets = Secrets & WithCustom;

/** A company as lists, POST and PUT answer it (docs/contract.md 6.2 and 6.3). */
export function companyJson(row: Row, secrets: CompanySecrets): string {
  return `{${writeMembers(row, secrets)},"assigned_user":${assignedUserJson(row)}}`;
}

/** A single company, with `contacts_count` and `addresses_count`. */
export function companyWithCountsJson(row: Row, secrets: CompanySecrets): string {
  const counts = `"contacts_count":${row[CONTACTS_COUNT]},"addresses_count":${row[ADDRESSES_COUNT]}`;
  return `{${writeMembers(row, secrets)},"assigned_user":${assignedUserJson(row)},${counts}}`;
}

function assignedUserJson(row: Row): string {
  const name = row[ASSIGNED_USER_NAME] ?? null;
  return name === null ? "null" : `{"id":${row[ASSIGNED_TO]},"name":${JSON.stringify(name)}}`;
}
