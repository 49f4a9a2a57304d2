import { parseDate, parseTimestamp } from "../../dates.ts";
import { trim } from "../../text.ts";

export const UPDATED_SINCE = "updated_since";

/** The end of a time with an offset: a sign, hours, and minutes or not. A plus sign in a query means a space. */
const OFFSET = /(:\d{2}(?:\.\d+)?)([ +-])(\d{2})(?::?(\d{2}))?$/;

/**
 * The timestamp in a value of `updated_since`; null if it is none. A day begins at midnight in UTC. Offsets may lack
 * their colon, as PHP and Python write them.
 */
export function parseSince(text: string): string | null {
  const written = trim(text).replace(
    OFFSET,
    (_end, seconds: string, sign: string, hours: string, minutes = "00") =>
      `${seconds}${sign === "-" ? "-" : "+"}${hours}:${minutes}`,
  );
  const day = parseDate(written);
  return day === null ? null : (parseTimestamp(written) ?? `${day}T00:00:00Z`);
}
