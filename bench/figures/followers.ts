import { giveWay } from "../load/give-way.ts";
import { readerOf, type Reader } from "./feed-reader.ts";

// A process of its own that follows the feed: it is sent one FollowersJob at a time and answers with how many changes
// were heard.

/** `count` followers, each with one request after the other, for `seconds`. */
export type FollowersJob = { url: string; token: string; after: string; count: number; seconds: number };

giveWay();
process.on("message", ({ url, token, after, count, seconds }: FollowersJob) => {
  const stop = AbortSignal.timeout(1_000 * seconds);
  const followers = Array.from({ length: count }, async () => await follow(readerOf(url, token), after, stop));
  void Promise.all(followers).then((heard) => process.send?.(heard.reduce((sum, each) => sum + each, 0)));
});
process.on("disconnect", () => process.exit());

async function follow(read: Reader, after: string, stop: AbortSignal): Promise<number> {
  let heard = 0;
  for (let next = after; !stop.aborted;) {
    const page = await read({ after: next, wait: "30" }, stop).catch((error: unknown) => {
      if (stop.aborted) return { next, data: [] };
      throw error;
    });
    next = page.next;
    heard += page.data.length;
  }
  return heard;
}
