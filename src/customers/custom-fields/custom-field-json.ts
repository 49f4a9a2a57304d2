import { answering } from "../../kit/endpoint.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { membersOf, membersWriter, TIMESTAMPS, type Member } from "../../platform/fields/json.ts";
import { membersReader } from "../../platform/fields/reader.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { definition } from "./custom-field.ts";

/** The columns of a definition's row, and the members of its JSON. */
export const definitionMembers: readonly Member[] = [
  { name: "id", kind: "number" },
  ...membersOf(definition.table, definition.fields),
  { name: "archived_at", kind: "timestamp" },
  ...TIMESTAMPS.filter(({ name }) => name !== "deleted_at"),
];

const write = membersWriter(definitionMembers);

export function definitionJson(row: Row, secrets: Secrets): string {
  return `{${write(row, secrets)}}`;
}

export const definitionState = stateReader(definitionMembers, "updated_at");
export const definitionAnswer = answering(definitionJson, definitionState);

/** A definition by column name, for pages. */
export const definitionRow = membersReader(definitionMembers);
