/** The expected time of work at the event loop, in milliseconds (docs/sharing.md). */
export const PRICES = {
  /** A request before its work is known: from a known caller, and from a stranger, including the answer. */
  request: 0.02,
  stranger: 0.2,
  /** A database's answer, with the processing of it: per answer, per row, and per 2^20 characters. */
  answer: 0.08,
  row: 0.01,
  megabyteOfRows: 20,
  /** A large body, from parsing to the statement: per 2^20 bytes, and per part if it has many entries. */
  megabyteOfBody: 50,
  partOfBody: 0.5,
  /**
   * One item of a request that writes many, including PostgreSQL's work: a small body can have a thousand. Also one
   * page of changes for each follower.
   */
  itemOfBatch: 0.12,
  /** Unpacking 2^20 bytes. */
  megabyteUnpacked: 3,
  /** Compressing 2^20 bytes of an answer. */
  megabyteCompressed: 3,
  /** The same for a page. */
  megabyteOfPageCompressed: 12,
  /** Sending 2^20 bytes of a file. */
  megabyteOfFile: 20,
  /**
   * 2^20 bytes of an uploaded file that is encrypted and stored, and 2^20 units of work each time that its rows are
   * read.
   */
  megabyteOfImport: 20,
};
