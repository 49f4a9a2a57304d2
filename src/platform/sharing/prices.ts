/** Milliseconds of the event loop that work is expected to take (docs/sharing.md). */
export const PRICES = {
  /** A request, before it is known what it asks for: of whoever was here before, and of a stranger with their answer. */
  request: 0.02,
  stranger: 0.2,
  /** The database's answer to somebody, with what is made of it: for itself, for each row, and for 2^20 characters in them. */
  answer: 0.08,
  row: 0.01,
  megabyteOfRows: 20,
  /** A large body, from its parsing to the statement: for 2^20 bytes, and for each part where it has many entries. */
  megabyteOfBody: 50,
  partOfBody: 0.5,
  /**
   * Each of many that are written by one request, what PostgreSQL does with it included: a small body has a thousand. And a page of
   * changes, for each of those who wait for it.
   */
  itemOfBatch: 0.12,
  /** 2^20 bytes that a packed body may unpack to. */
  megabyteUnpacked: 3,
  /** 2^20 bytes of an answer that are compressed for somebody. */
  megabyteCompressed: 3,
  /** 2^20 bytes of a file on their way to somebody. */
  megabyteOfFile: 20,
  /** 2^20 bytes of a file that is uploaded, encrypted and stored, and 2^20 units of work each time that its rows are read. */
  megabyteOfImport: 20,
};
