import fs from "node:fs";

/** Writes a directory out: a new name in it survives a power failure only then. */
export function makeDurable(directory: string): void {
  const descriptor = fs.openSync(directory, "r");
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}
