// A file of its own: the server and a script of every page share it.
/** The `YYYY-MM-DD` of a date such as `25.11.2026`; null for any other text. The date may not exist. */
export function readDay(text) {
  const [, day, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\.?$/.exec(text.trim()) ?? [];
  return day === undefined ? null : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
