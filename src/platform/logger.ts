import { pino, type DestinationStream, type Logger } from "pino";

export type { Logger };

/**
 * JSON lines, on standard error unless told otherwise: standard output is for answers. Nothing that could carry a secret
 * (the Authorization header, bodies) is given to it; the redaction is a second lock. `detail` and `where` are
 * PostgreSQL's, and name the values of the row that it refused.
 */
export function createLogger(level: string, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    { level, redact: ["*.authorization", "*.headers", "*.password", "*.token", "*.detail", "*.where"] },
    destination,
  );
}
