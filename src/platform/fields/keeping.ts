import type { Statement } from "../postgres/statement.ts";
import type { Member } from "./json.ts";

/** The columns of kept_answers for values that are stored encrypted, by the names that they have in their own tables. */
export const KEPT_CIPHERTEXTS = ["phone", "mobile"];

/** The row that an answer is made of: what it is (kept-answers/kinds.ts), and its columns as SQL, by the names that they are kept by. */
export type KeptRow = { kind: string; columns: (alias: string) => Readonly<Record<string, string>> };

/** A statement that writes, in its parts. */
export type Write = {
  /** The write itself, with its `returning`. */
  write: string;
  /** The answer, as columns of `written`; left out: what the write returns. */
  answer?: string;
  /** The same of the form that keeps answers, where it differs. */
  keptAnswer?: string;
  /** How rows belong to entries, where it takes any (Call). */
  entries?: "in order" | "by id";
};

/** The columns of members, as they are kept: PostgreSQL's text, which is a letter where a boolean is answered. */
export function keptMembers(members: readonly Member[], alias: string): Record<string, string> {
  return Object.fromEntries(
    members.map(({ name, kind }) => {
      const text = `${alias}.${name}::text`;
      return [name, kind === "boolean" ? `left(${text}, 1)` : text];
    }),
  );
}

/**
 * The statement, with the form that keeps answers (docs/decisions/0058-kept-answers.md).
 * @param keeps the row that its answer is made of, or the body that it always is once a row is returned; null: none is kept
 */
export function writing(name: string, parts: Write, keeps: KeptRow | string | null): Statement {
  const { write, answer, keptAnswer = answer ?? "*", entries } = parts;
  const isOneOfMany = entries === "by id" ? { isOneOfMany: true as const } : {};
  const plain = {
    name,
    text: answer === undefined ? write : `with written as (${write}) select ${answer} from written`,
    ...isOneOfMany,
  };
  if (keeps === null) return plain;
  const parameter = entries === undefined ? nextParameter(write) : 2;
  const says = typeof keeps === "string" ? { says: keeps } : {};
  const kept = keptAnswers({ of: "written", parameter, entries, row: typeof keeps === "string" ? null : keeps });
  const statement = {
    name: `kept_${name}`,
    text: `with written as (${write}), ${kept} select ${keptAnswer} from written`,
    ...isOneOfMany,
  };
  return { ...plain, keeping: { statement, ...says } };
}

type Kept = {
  /** The CTE with the rows that were written. */
  of: string;
  /** The number of the parameter with the entries: an object for each answer. */
  parameter: number;
  entries?: Write["entries"];
  /** Null: the answers are in their entries. */
  row: KeptRow | null;
};

/** The CTE that keeps the answers of what another one has written. */
export function keptAnswers({ of, parameter, entries = "in order", row }: Kept): string {
  const columns: Record<string, string> = row?.columns("w") ?? {};
  const inClear = Object.entries(columns).filter(([name]) => !KEPT_CIPHERTEXTS.includes(name));
  const pairs = inClear.map(([name, sql]) => `'${name}', ${sql}`);
  const answer = row === null ? "null" : `json_strip_nulls(json_object(array[${pairs.join(", ")}]))::text`;
  const types = Object.entries(ENTRY).map(([name, type]) => `${name} ${type}`);
  const sent = `json_to_recordset($${parameter})`;
  const matched =
    entries === "by id"
      ? `${of} w join ${sent} as e (id bigint, ${types.join(", ")}) on e.id = w.id`
      : // Ids are drawn in the order of the entries.
        `(select row_number() over (order by ${of}.id) as place, ${of}.* from ${of}) w
      join rows from (${sent} as (${types.join(", ")})) with ordinality as e (${Object.keys(ENTRY).join(", ")}, place)
        on e.place = w.place`;
  return `kept as (
    insert into kept_answers (tenant_id, api_key_id, key, request, status, kind, resource_id, answer, ${KEPT_CIPHERTEXTS.join(", ")}, secret)
    select $1::bigint, e.kept_api_key, e.kept_key, decode(e.kept_request, 'hex'), e.kept_status, ${row === null ? "null, null" : `'${row.kind}', w.id`},
      ${answer}, ${KEPT_CIPHERTEXTS.map((name) => columns[name] ?? "null").join(", ")}, e.kept_secret
    from ${matched}
    returning id
  )`;
}

/** The members of an entry by which its answer is kept, with their types. */
const ENTRY = {
  kept_api_key: "bigint",
  kept_key: "text",
  kept_request: "text",
  kept_status: "smallint",
  kept_secret: "text",
};

function nextParameter(write: string): number {
  return 1 + Math.max(...[...write.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
}
