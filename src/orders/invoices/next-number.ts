/**
 * A file of its own: the rule has many cases, with a test beside it. The number after an invoice's number: its last run of
 * digits plus one, with the same width at least. Null if it has no digit.
 */
export function nextNumber(number: string): string | null {
  const [, before, digits, behind] = /^(.*?)(\d+)(\D*)$/s.exec(number) ?? [];
  if (digits === undefined) return null;
  return `${before}${String(BigInt(digits) + 1n).padStart(digits.length, "0")}${behind}`;
}
