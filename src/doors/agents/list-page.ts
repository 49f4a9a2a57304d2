import type { EndpointCall, AgentSession, JsonObject } from "./session.ts";
import type { Arguments } from "./tool.ts";

type ListPage = { data: JsonObject[]; total?: unknown; more?: unknown };
/** A list as the API answers it. */
type ListJson = { data: JsonObject[]; total: unknown; next_cursor: unknown };

/** A page of a list of the API, by cursor; the first one has the total too. */
export async function readListPage(
  session: AgentSession,
  route: string,
  { params = {}, query = {} }: EndpointCall,
  args: Arguments,
  rows: number,
): Promise<ListPage> {
  const { cursor } = args as { cursor?: string };
  const read = async (further: NonNullable<EndpointCall["query"]>) =>
    await session.read<ListJson>(await session.call(session.deps, route, { params, query: { ...query, ...further } }));
  const [page, counted] = await Promise.all([
    read({ cursor: cursor ?? "", per_page: rows }),
    cursor === undefined ? read({ per_page: 1 }) : null,
  ]);
  return {
    data: page.data,
    ...(counted !== null && { total: counted.total }),
    more: page.next_cursor,
  };
}

/** An external id as the API's lists take it. */
export function externalOf({ external }: Arguments): string | undefined {
  if (external === undefined) return undefined;
  const { source, id } = external as { source: string; id: string };
  return `${source}:${id}`;
}
