/** Milliseconds of the event loop that work is expected to take (docs/sharing.md). */
export const PRICES = {
  /** The database's answer to somebody, with what is made of it: for itself, for each row, and for 2^20 characters in them. */
  answer: 0.1,
  row: 0.01,
  megabyteOfRows: 20,
  /** A large body, from its parsing to the statement: for 2^20 bytes, and for each part where it has many entries. */
  megabyteOfBody: 50,
  partOfBody: 0.5,
  /** 2^20 bytes of a file on their way to somebody without a key. */
  megabyteOfFile: 20,
  /** A page for somebody who is not signed in. */
  page: 0.2,
};
