import path from "node:path";
import { ConfigError, integerWithin, type Read } from "../platform/setting.ts";

/** The schedule of backups, in files of a directory. */
export type BackupSchedule = Readonly<{
  everyMs: number;
  /** The number of files to keep. */
  keep: number;
  /** Absolute. */
  directory: string;
  /** A file with the passphrase; null: the backups are not encrypted. */
  passphraseFile: string | null;
}>;

/** The value by which an operator declares that other tools make the backups. */
const ELSEWHERE = "elsewhere";

/** `elsewhere`: other tools make backups. Null: no setting says that backups are made. */
export function readBackupConfig(read: Read): BackupSchedule | typeof ELSEWHERE | null {
  const directory = read<string | null>("LIAISON_BACKUP_TO", null, (value) => path.resolve(value));
  const every = read<number | typeof ELSEWHERE | null>("LIAISON_BACKUP_EVERY", null, duration);
  const keep = read("LIAISON_BACKUP_KEEP", 14, (value) => integerWithin(value, 10_000, 1));
  const passphraseFile = read<string | null>("LIAISON_BACKUP_PASSPHRASE_FILE", null, (value) => path.resolve(value));
  if (every === ELSEWHERE && directory !== null)
    throw new ConfigError("LIAISON_BACKUP_TO", "is set, and LIAISON_BACKUP_EVERY is elsewhere: keep one of them");
  if (every === ELSEWHERE) return ELSEWHERE;
  if (directory !== null) return Object.freeze({ everyMs: every ?? UNITS_MS.d, keep, directory, passphraseFile });
  if (every === null) return null;
  throw new ConfigError(
    "LIAISON_BACKUP_TO",
    "is needed where LIAISON_BACKUP_EVERY is set: it names the directory (--backup-to)",
  );
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time such as 24h, in milliseconds. */
function duration(value: string): number | typeof ELSEWHERE {
  if (value === ELSEWHERE) return value;
  const [, number, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(value) ?? [];
  if (unit === undefined) throw new Error("must be a time like 24h, 30m or 7d, or the word elsewhere");
  return Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS];
}
