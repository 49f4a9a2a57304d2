export const API = "/api/v1";

/** The resources that the requests have made for themselves. */
export type Made = { company: number; contact: number; address: number; invoice: number };

/** Words that spaces part. */
export function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}
