/** A wrong setting; the message is one line that names the variable, or the line of a file, and never a value. */
export class ConfigError extends Error {
  constructor(place: string, complaint: string) {
    super(`${place} ${complaint}.`);
    this.name = "ConfigError";
  }
}

/** Reads a variable, or returns the fallback if it is unset; `parse` throws the end of a sentence. */
export type Read = <T>(variable: string, fallback: T, parse: (value: string) => T) => T;

/** A whole number from `min` to `max`, at most ten digits. Throws the end of a sentence (Read) for any other text. */
export function integerWithin(value: string, max: number, min = 0): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) > max || Number(value) < min) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return Number(value);
}
