/** Places behind the point of a quantity, and of a price. */
const PLACES = 6;
const UNIT = 10n ** BigInt(PLACES);
/** An amount has as many of both, of which two are shown. */
const CENT = 10n ** BigInt(2 * PLACES - 2);

/** A line's quantity times its price, exact to the cent, half a cent up; null where one of them is no number. */
export function lineAmount(quantity: string | null, price: string | null): string | null {
  const exact = exactAmount(quantity, price);
  return exact === null ? null : cents(exact);
}

/** The sum of lines, rounded once, and not line by line. */
export function sumOf(lines: readonly { quantity: string | null; unit_price: string | null }[]): string {
  return cents(lines.reduce((sum, { quantity, unit_price: price }) => sum + (exactAmount(quantity, price) ?? 0n), 0n));
}

function exactAmount(quantity: string | null, price: string | null): bigint | null {
  const [many, each] = [scaled(quantity), scaled(price)];
  return many === null || each === null ? null : many * each;
}

function scaled(text: string | null): bigint | null {
  const [, sign = "", whole, fraction = ""] = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text ?? "") ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole) * UNIT + BigInt(fraction.padEnd(PLACES, "0"));
  return sign === "-" ? -value : value;
}

function cents(exact: bigint): string {
  const size = exact < 0n ? -exact : exact;
  const rounded = (size + CENT / 2n) / CENT;
  const text = rounded.toString().padStart(3, "0");
  return `${exact < 0n && rounded > 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}
