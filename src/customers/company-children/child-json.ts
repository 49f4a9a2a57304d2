import { answering } from "../../kit/endpoint.ts";
import { externalIncluded } from "../../kit/external-ids/include-external.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import type { WithCustom } from "../../platform/fields/custom.ts";
import { externalMember } from "../../platform/fields/external-ids.ts";
import { membersOf, membersWriter, TIMESTAMPS, type Member } from "../../platform/fields/json.ts";
import { stateReader } from "../../platform/fields/row-state.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { Child } from "./child.ts";

/** The members of a child's JSON that are columns of its row, in their order. */
export function childMembers({ table, fields, readOnly }: Child): Member[] {
  return [
    { name: "id", kind: "number" },
    { name: "company_id", kind: "number" },
    ...membersOf(table, fields),
    ...readOnly,
    ...TIMESTAMPS,
  ];
}

/** The columns of a child's row, in order. A single child also has its company's name behind them. */
export function childStoredMembers(child: Child): Member[] {
  return [...childMembers(child), externalMember];
}

type ChildSecrets = Secrets & WithCustom;

export type ChildJson = {
  /** A child in lists and in responses to POST and PUT. */
  one(row: Row, secrets: ChildSecrets): string;
  /** A single child, with `company` {id, name}. */
  withCompany(row: Row, secrets: ChildSecrets): string;
  answer: Answering;
  answerWithCompany: Answering;
  /** The further members that a request asks for. */
  included: ReturnType<typeof externalIncluded>;
};

type Answering = ReturnType<typeof answering<ChildSecrets>>;

export function childJson(child: Child): ChildJson {
  const members = childMembers(child);
  const state = stateReader(members, "updated_at");
  const write = membersWriter(members);
  const position = new Map(members.map(({ name }, index) => [name, index]));
  const { computed } = child;

  function body(row: Row, secrets: ChildSecrets): string {
    const json = write(row, secrets);
    if (computed === null) return json;
    const value = computed.json((name) => row[position.get(name) ?? -1] ?? null);
    return `${json},${JSON.stringify(computed.name)}:${value}`;
  }

  const one: ChildJson["one"] = (row, secrets) => `{${body(row, secrets)}}`;
  const withCompany: ChildJson["withCompany"] = (row, secrets) => {
    const company = `{"id":${row[1]},"name":${JSON.stringify(row.at(-1))}}`;
    return `{${body(row, secrets)},"company":${company}}`;
  };
  const plain = answering(one, state);
  const answer: ChildJson["answer"] = (...of) => {
    const [, row] = of;
    return { ...plain(...of), shows: { type: child.changeType, id: String(row[0]) } };
  };
  const included = externalIncluded(childStoredMembers(child));
  return { one, withCompany, answer, answerWithCompany: answering(withCompany, state), included };
}
