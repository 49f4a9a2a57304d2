import type { Reader } from "./database.ts";
import { oneValue, type Parameter, type Row, type Statement } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/**
 * The statements of a list, with the same parameters: the count of all rows, and a page, whose limit and offset follow
 * these parameters.
 */
export type List = { count: Statement; page: Statement };

/** A page's rows, and the number of all rows. */
export type ListPage = { rows: Row[]; total: number };

/** One page of a list; null if the count returns no row, because the list's parent does not exist. */
export async function findListPage(
  reader: Reader,
  tenant: TenantId,
  { count, page }: List,
  parameters: Parameter[],
  { perPage, offset }: { perPage: number; offset: number },
): Promise<ListPage | null> {
  const [counted, rows = []] = await reader.readAll(tenant, [
    { statement: count, parameters },
    { statement: page, parameters: [...parameters, perPage, offset] },
  ]);
  const total = oneValue(counted);
  return total === null ? null : { rows, total: Number(total) };
}

/** The same for a list that always exists. */
export async function readPage(...of: Parameters<typeof findListPage>): Promise<ListPage> {
  return (await findListPage(...of)) ?? { rows: [], total: 0 };
}
