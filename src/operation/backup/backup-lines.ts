import { isObject } from "../../platform/fields/validation.ts";
import { Refusal } from "../../platform/refusal.ts";
import { FORMAT, type BackupHeader, type PartBegin, type Trailer } from "./backup-format.ts";
import { Malformed } from "./content-reader.ts";

/** Maximum length of a name in a backup's lines, because messages repeat names. */
const NAME_MAX = 1_000;

/** Parses a file's first line. Throws Refusal if a newer release wrote it, and Malformed if it is not a backup. */
export function firstLineOf(line: unknown, file: string): BackupHeader {
  if (isObject(line) && Number.isSafeInteger(line.format) && line.format !== FORMAT)
    throw new Refusal(`${file} has the format ${String(line.format)} of a newer release: restore it with that one.`);
  if (!isHeader(line)) throw new Malformed("does not begin with what it is of");
  return line;
}

/** Parses a line between the rows of tables. Throws Malformed for any other content. */
export function partOrTrailer(line: unknown): PartBegin | Trailer {
  if (isPartBegin(line) || isTrailer(line)) return line;
  throw new Malformed("has a line that names no table");
}

function isHeader(line: unknown): line is BackupHeader {
  if (!isObject(line) || line.format !== FORMAT) return false;
  const { liaison, version, postgres, taken_at, migrations, tenant } = line;
  if (![version, postgres, taken_at].every(isName) || !areNames(migrations)) return false;
  if (liaison === "tenant") return isObject(tenant) && isName(tenant.slug) && typeof tenant.was_suspended === "boolean";
  return liaison === "backup" && [line.encryption_check, line.encryption_keys].every(isTextOrNull);
}

function isPartBegin(line: unknown): line is PartBegin {
  return isObject(line) && isObject(line.table) && isName(line.table.name) && areNames(line.table.columns);
}

function isTrailer(line: unknown): line is Trailer {
  if (!isObject(line) || !Array.isArray(line.sequences)) return false;
  return [line.tables, line.rows].every(Number.isSafeInteger) && line.sequences.every(isSequence);
}

function isSequence(sequence: unknown): boolean {
  if (!isObject(sequence)) return false;
  return isName(sequence.name) && isName(sequence.last) && typeof sequence.isCalled === "boolean";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value.length <= NAME_MAX;
}

function areNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isName);
}
