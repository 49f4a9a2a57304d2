/** Whether the text is one that a row's id can have: decimal, without sign or leading zeros, within a bigint. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && (text.length < 19 || BigInt(text) <= 9_223_372_036_854_775_807n);
}
