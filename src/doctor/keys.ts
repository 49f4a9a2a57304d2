import fs from "node:fs";
import path from "node:path";
import { findUndecryptable } from "../encryption/undecryptable.ts";
import type { Examination } from "./check.ts";

/** Decrypts every encrypted value once, and checks who may read the key file. */
export const checkKeys: Examination = async ({ config, database, keyring }) => {
  const isFromFile = config.encryptionKeys === null;
  const source = isFromFile ? path.join(config.dataDir, "encryption.keys") : "LIAISON_ENCRYPTION_KEYS";
  const found = await findUndecryptable(database, keyring);
  const lost = [...found].map(
    ([column, { values, rows }]) =>
      `${values} values of ${column} do not decrypt with the keys of ${source} (row ${rows.join(", ")}${values > rows.length ? ", and more" : ""}): put back the keys that are missing there, from where they are kept; else have the values replaced or taken away (docs/operations.md 14.3).`,
  );
  return [...lost, ...(isFromFile ? openToOthers(source) : [])];
};

function openToOthers(file: string): string[] {
  const mode = fs.statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  return [`${file} has the mode ${mode.toString(8).padStart(4, "0")}, and is for its owner alone: chmod 600 ${file}`];
}
