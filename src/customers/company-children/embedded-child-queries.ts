import { withMembers } from "../../kit/endpoint.ts";
import { embeddedStatement } from "../companies/embedded-queries.ts";
import type { EmbeddedKind } from "../companies/embedded.ts";
import { childJson, childStoredMembers } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** A kind of child, as companies embed it: as the company's list has it. */
export function embeddedChild(child: Child): EmbeddedKind {
  const { table, order } = child;
  const [json, queries] = [childJson(child), childQueries(child)];
  const columns = childStoredMembers(child).map(({ name }) => name);
  const short = new Set(["id", "company_id", "created_at", "updated_at", "deleted_at"]);
  return {
    word: table,
    statement: embeddedStatement({
      table,
      columns,
      texts: columns.filter((name) => !short.has(name)),
      listed: "k.deleted_at is null",
      order,
    }),
    writer: ({ database, keyring }, tenant, query) => {
      const included = json.included(query);
      return {
        write: (row) => withMembers(json.one(row, { keyring, tenant }), included(row)),
        whole: async (ids) => await queries.whole(tenant, database, ids),
      };
    },
  };
}
