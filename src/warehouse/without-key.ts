const FROM = 8;

/**
 * A text of a warehouse, which may repeat the key that it got, without it. A key of fewer than eight characters is part of many
 * words: it is taken out where it stands alone.
 */
export function withoutKey(text: string, key: string): string {
  if (key.length >= FROM) return text.replaceAll(key, "[key]");
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(key)}(?![\\p{L}\\p{N}])`, "gu"), "[key]");
}
