import { pino, type DestinationStream, type Logger } from "pino";
import { standardError } from "./log-destination.ts";

export type { Logger };

/**
 * JSON lines, on standard error unless told otherwise: standard output is for answers. Nothing that could carry a secret
 * (the Authorization header, bodies) is given to it; the redaction is a second lock. `detail` and `where` are
 * PostgreSQL's, and name the values of the row that it refused.
 */
export function createLogger(level: string, destination: DestinationStream = standardError()): Logger {
  return pino(
    { level, redact: ["*.authorization", "*.headers", "*.password", "*.token", "*.detail", "*.where"] },
    destination,
  );
}
