/** The words of an import's tabs and of its result, in English, by outcome. */
const WORDS = {
  Created: /Create|created/,
  Changed: /Change|changed/,
  Unchanged: /Same|the same/,
  Skipped: /Skip|skipped/,
};
const UNDONE = { Deleted: /deleted/, Restored: /restored/, "Left as they are": /left as/ };

/** The rows of each outcome: from the tabs of a checked import, or from the result of one that has run or is undone. */
export function figuresOf({ text }: { text: string }): Record<string, number> {
  const [, tabs = ""] = /<nav class="outcomes"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
  const [, result = ""] = /<p class="result">(.*?)<\/p>/s.exec(text) ?? [];
  const said = [
    ...[...tabs.matchAll(/>(\w+) <b>([\d,]+)<\/b>/g)].map(([, word, count]) => ({ word, count })),
    ...[...result.matchAll(/([\d,]*\d) ([a-z ]+)/g)].map(([, count, word]) => ({ word, count })),
  ];
  const isUndone = text.includes(">Undone</span>");
  return Object.fromEntries(
    Object.entries(isUndone ? UNDONE : WORDS).map(([name, form]) => {
      const found = said.find(({ word }) => form.test(String(word)));
      return [name, Number(found?.count?.replaceAll(",", "") ?? 0)];
    }),
  );
}
