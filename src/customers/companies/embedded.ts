import type { Deps } from "../../kit/deps.ts";
import { LIST_ROW_BYTES, writeRows, type ListRows } from "../../platform/fields/long-texts.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { callWith, type NamedStatement } from "../../platform/postgres/query.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { EMBEDDED_MAX } from "../../platform/reads/embedded.ts";
import type { ListReads } from "../../platform/reads/reads.ts";

/** The most companies of a page that embeds other resources. */
export const EMBEDDING_MAX = 50;
/** The most bytes of text of an embedded row: longer rows are read again, a few at a time, while they are sent. */
const ROW_BYTES = 1_024;
/** The same beside a single company. */
export const ROW_BYTES_OF_ONE = 16_384;

/** A kind of resource that companies embed if a request asks for it. */
export type EmbeddedKind = {
  /** The word of `include`, and the member. */
  word: string;
  statement: NamedStatement;
  writer: (deps: Deps, tenant: TenantId, query: Query) => Promise<Pick<ListRows, "write" | "whole">>;
};

/** A list of companies, as they embed it. @param write the row as JSON, as the company's list has it */
export function embeddedKind(
  { name, embedded, whole }: Pick<ListReads, "name" | "embedded" | "whole">,
  write: (deps: Deps, tenant: TenantId, query: Query) => Promise<(row: Row) => string>,
): EmbeddedKind {
  if (embedded === null) throw new Error(`${name} belong to no company`);
  return {
    word: name,
    statement: embedded,
    writer: async (deps, tenant, query) => ({
      write: await write(deps, tenant, query),
      whole: async (ids) => await whole(tenant, deps.database, ids),
    }),
  };
}

/** The columns of an embedded row before those of its kind. */
const COMPANY = 1;

/** The kinds that the query asks for. */
export function embeddedIn(query: Query, kinds: readonly EmbeddedKind[]): readonly EmbeddedKind[] {
  return kinds.filter(({ word }) => query.included.has(word));
}

/** The most memory of a page that embeds. */
export function embeddedBytes(companies: number, kinds: readonly EmbeddedKind[]): number {
  const each = LIST_ROW_BYTES + kinds.length * EMBEDDED_MAX * ROW_BYTES;
  // A tenant's share of memory is 16 MiB.
  return Math.min(companies * each, 15 * 2 ** 20);
}

/** The resources that companies embed. */
export type Embedded = {
  /** The members of a company, each behind a comma: a text, or its parts if rows were left out. */
  membersOf: (company: string) => string | AsyncIterable<string>;
  /** A text that differs whenever the members do. */
  state: () => string;
};

/**
 * Reads the embedded resources: one statement for each kind.
 * @param bytes the most bytes of text of a row
 */
export async function readEmbedded(
  deps: Deps,
  tenant: TenantId,
  query: Query,
  kinds: readonly EmbeddedKind[],
  companies: string[],
  bytes = ROW_BYTES,
): Promise<Embedded> {
  const calls = kinds.map(({ statement }) => callWith(statement, { parents: companies, bytes }));
  const answers = companies.length === 0 ? [] : await deps.database.slow.readAll(tenant, calls);
  const read = await Promise.all(
    kinds.map(async ({ word, writer }, index) => ({
      word,
      rows: Map.groupBy(answers[index] ?? [], ([company]) => String(company)),
      ...(await writer(deps, tenant, query)),
    })),
  );
  const listsOf = (company: string) =>
    read.map(({ word, rows, ...writer }) => {
      const all = (rows.get(company) ?? []).map((row) => row.slice(COMPANY));
      const before = `,"${word}":{"data":[`;
      const after = `],"more":${all.length > EMBEDDED_MAX}}`;
      return { before, after, items: writeRows({ rows: all.slice(0, EMBEDDED_MAX), ...writer }) };
    });
  return {
    membersOf(company) {
      const lists = listsOf(company);
      const isWhole = lists.every(({ items }) => Array.isArray(items));
      return isWhole
        ? lists.map(({ before, items, after }) => `${before}${(items as string[]).join(",")}${after}`).join("")
        : inParts(lists);
    },
    state: () => JSON.stringify(answers),
  };
}

type EmbeddedList = { before: string; items: string[] | AsyncIterable<string>; after: string };

async function* inParts(lists: readonly EmbeddedList[]): AsyncGenerator<string> {
  for (const { before, items, after } of lists) {
    yield before;
    let separator = "";
    for await (const item of items) {
      yield separator + item;
      separator = ",";
    }
    yield after;
  }
}

/** A company's JSON with the embedded members and further ones behind them: a text, or its parts. */
export function withEmbedded(
  json: string,
  members: string | AsyncIterable<string>,
  others: string,
): string | AsyncIterable<string> {
  const [before, after] = [json.slice(0, -1), `${others}}`];
  return typeof members === "string" ? before + members + after : around(before, members, after);
}

/** Parts between two texts. */
export async function* around(before: string, parts: AsyncIterable<string>, after: string): AsyncGenerator<string> {
  yield before;
  yield* parts;
  yield after;
}
