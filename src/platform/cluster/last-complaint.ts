import fs from "node:fs";
import path from "node:path";

/** The answers to those who ask a server that does not serve: to ourselves, while we wait for it. */
const ANSWER = /FATAL: +the database system is /;
const COMPLAINT = /^.*?(?:FATAL|PANIC|ERROR): +/;

/** The reason for which a server ended, as its log has it after an offset; of a full disk, whose log may be cut, it is that. */
export function lastComplaint(logFile: string, offset: number): string {
  const text = fs.readFileSync(logFile).subarray(offset).toString();
  const told = complaintIn(text);
  if (told !== null) return told;
  return fs.statfsSync(path.dirname(logFile)).bavail === 0 ? "No space left on device" : `see ${logFile}`;
}

/** The last complaint in a log, without time and process; null where there is none. */
export function complaintIn(log: string): string | null {
  const lines = log.split("\n").filter((line) => COMPLAINT.test(line) && !ANSWER.test(line));
  return lines.at(-1)?.replace(COMPLAINT, "") ?? null;
}
