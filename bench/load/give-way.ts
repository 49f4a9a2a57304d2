import fs from "node:fs";
import os from "node:os";

/**
 * In production a client has processors of its own; here it shares those of the server. To disturb the measurement
 * least, this process has the lowest priority. Linux divides by sessions first, which have a priority of their own.
 */
export function giveWay(): void {
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const session = "/proc/self/autogroup";
  if (fs.existsSync(session)) fs.writeFileSync(session, String(os.constants.priority.PRIORITY_LOW));
}
