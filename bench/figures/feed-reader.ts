/** As much of a page of changes as its readers look at. */
export type Page = { data: { id: number }[]; next: string; more: boolean };
export type Reader = (query: Record<string, string>, signal?: AbortSignal) => Promise<Page>;

/** Asks the feed of the tenant that the token is of. Rejects where the answer is no page. */
export function readerOf(url: string, token: string): Reader {
  const headers = { authorization: `Bearer ${token}` };
  return async (query, signal) => {
    const answer = await fetch(`${url}/api/v1/changes?${new URLSearchParams(query).toString()}`, {
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Page;
  };
}
