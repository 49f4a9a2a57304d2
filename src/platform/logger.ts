import { pino, type DestinationStream, type Logger } from "pino";

export type { Logger };

/**
 * JSON lines on standard output. What could carry a secret (the Authorization header, bodies) is never given to it;
 * the redaction is a second lock.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: ["*.authorization", "*.headers", "*.password", "*.token"] };
  return destination === undefined ? pino(options) : pino(options, destination);
}
