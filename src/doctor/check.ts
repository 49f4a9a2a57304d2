import type { Config } from "../config.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { Database } from "../platform/postgres/database.ts";

/** A problem that an operator should solve, described in one line. */
export type Finding = { check: string; message: string };

/** An opened installation with an up-to-date database. */
export type Patient = {
  config: Config;
  database: Database;
  keyring: Keyring;
  /** Calls are held until `resume`, so waiting jobs are no problem. */
  areCallsHeld: boolean;
};

/** Returns a message per problem. */
export type Examination = (patient: Patient) => Promise<string[]>;
