import fs from "node:fs";
import path from "node:path";

/** A server's refusal while it starts or stops: it answers our own attempts, so it is no cause. */
const ANSWER = /FATAL: +the database system is /;
const COMPLAINT = /^.*?(?:FATAL|PANIC|ERROR): +/;

/**
 * The reason why a server ended: the last error in its log after an offset. Without one, a full disk is the reason,
 * because it may have cut the log.
 */
export function lastComplaint(logFile: string, offset: number): string {
  const text = fs.readFileSync(logFile).subarray(offset).toString();
  const complaint = complaintIn(text);
  if (complaint !== null) return complaint;
  return fs.statfsSync(path.dirname(logFile)).bavail === 0 ? "No space left on device" : `see ${logFile}`;
}

/** The last error in a log, without time and process; null if there is none. */
export function complaintIn(log: string): string | null {
  const lines = log.split("\n").filter((line) => COMPLAINT.test(line) && !ANSWER.test(line));
  return lines.at(-1)?.replace(COMPLAINT, "") ?? null;
}
