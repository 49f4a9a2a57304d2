import type { Command } from "commander";
import { databasePlace } from "../kit/deps.ts";
import { readPassphrase } from "../operation/backup/passphrase.ts";
import { readBackup } from "../operation/backup/read-backup.ts";
import { takeBackup } from "../operation/backup/take-backup.ts";
import { STANDARD_OUTPUT } from "../operation/backup/write-backup.ts";
import { noteRun } from "../people/operators/installation-notes.ts";
import { now } from "../platform/clock.ts";
import { showProgress } from "./progress.ts";
import { runs, runsAlone, type Invocation, type Output, type Work } from "./run-command.ts";

/** `backup` and `backup verify` (docs/operations.md 7). */
export function registerBackup(program: Command): void {
  const backup = program
    .command("backup")
    .enablePositionalOptions()
    .description(
      "Write the whole instance, as it is at one moment, into one compressed file, while servers run. The encryption keys are " +
        "not in it unless --with-keys.",
    )
    .argument("<file>", "the backup; it is replaced when the new one is whole. - is standard output")
    .option(...passphraseOption)
    .option("--with-keys", "include the encryption keys: the file alone then reveals everything in clear");
  runs(backup, backUp);
  const verify = backup
    .command("verify")
    .description("Read a backup to its end and check every sum.")
    .argument("<file>", "the backup")
    .option(...passphraseOption);
  runsAlone(verify, async (_config, _logger, { operands: [file = ""], options, signal }) => {
    const { header, trailer } = await readBackup("backup", { file, passphrase: passphraseOf(options), signal });
    const { rows, tables } = trailer;
    return {
      json: { rows, tables, taken_at: header.taken_at, version: header.version },
      text: `${file} is whole: ${rows} rows of ${tables} tables as of ${header.taken_at}, by Liaison ${header.version}. ${keysOf(header.encryption_keys !== null)}`,
    };
  });
}

const backUp: Work = async (deps, { operands: [file = ""], options, signal }) => {
  const withKeys = options.withKeys === true;
  const passphrase = passphraseOf(options);
  const progress = showProgress();
  const at = new Date(now()).toISOString();
  const written = await takeBackup(deps, {
    file,
    withKeys,
    passphrase,
    signal,
    onProgress: (table, rows) => progress.show(() => `${rows} rows written, reading ${table}`),
  }).finally(progress.end);
  await noteRun(deps.database, "backup", { at });
  const { bytes, rows, tables, sha256 } = written;
  const database = databasePlace(deps);
  const secrecy = passphrase === null ? "" : " It is encrypted with the passphrase.";
  return reportOf(file, options, {
    json: { file, database, bytes, rows, tables, sha256 },
    text: `${file}: ${rows} rows of ${tables} tables of ${database}, ${bytes} bytes, SHA-256 ${sha256}. ${keysOf(withKeys)}${secrecy}`,
  });
};

/** The report on a written file: on standard error if the file itself is on standard output. */
export function reportOf(file: string, options: Invocation["options"], { json, text }: NonNullable<Output>): Output {
  if (file !== STANDARD_OUTPUT) return { json, text };
  console.error(options.json === true ? JSON.stringify(json) : text);
  return null;
}

function keysOf(areIn: boolean): string {
  return areIn
    ? "The encryption keys are in it: keep it as you keep them."
    : "The encryption keys are not in it: keep them elsewhere, without them it cannot be restored.";
}

/** The option of every command that writes or reads a backup. */
export const passphraseOption = [
  "--passphrase-file <file>",
  "a file with the passphrase that encrypts the backup",
] as const;

/** The passphrase that the option names; null without it. */
export function passphraseOf({ passphraseFile }: Invocation["options"]): string | null {
  return passphraseFile === undefined ? null : readPassphrase(String(passphraseFile));
}
