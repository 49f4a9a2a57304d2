import { pino, type DestinationStream, type Logger } from "pino";
import { standardError } from "./log-destination.ts";

export type { Logger };

/**
 * JSON lines, by default on standard error: standard output is for results. Secrets (the Authorization header, bodies)
 * are never passed to the logger; the redaction is a second safeguard. `detail` and `where` come from PostgreSQL and
 * contain values of a rejected row.
 */
export function createLogger(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    { level, redact: ["*.authorization", "*.headers", "*.password", "*.token", "*.detail", "*.where"] },
    destination,
  );
}
