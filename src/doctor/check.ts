import type { Config } from "../config.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { Database } from "../platform/postgres/database.ts";

/** Something that an operator should do something about: one line, which says what. */
export type Finding = { check: string; message: string };

/** An installation whose database is up to date, and could be opened. */
export type Patient = {
  config: Config;
  database: Database;
  keyring: Keyring;
  /** Nobody is called until `resume`: what waits for that waits rightly. */
  areCallsHeld: boolean;
};

/** Messages about all that is wrong. */
export type Examination = (patient: Patient) => Promise<string[]>;
