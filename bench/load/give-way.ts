import fs from "node:fs";
import os from "node:os";

/**
 * Whoever asks beside what is measured has processors of its own in life, and here shares them. What asking costs is to
 * be noticed as little as can be: this process has the least share wherever there is a choice. Linux divides by
 * sessions first, which have a priority of their own.
 */
export function giveWay(): void {
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const session = "/proc/self/autogroup";
  if (fs.existsSync(session)) fs.writeFileSync(session, String(os.constants.priority.PRIORITY_LOW));
}
