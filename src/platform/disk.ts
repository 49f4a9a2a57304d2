import fs from "node:fs";

/** The disk of a data directory, in bytes; null if the directory does not exist. */
export function diskOf(dataDir: string): { directory: string; free: number; all: number } | null {
  if (!fs.existsSync(dataDir)) return null;
  // The directory of the embedded database may be a link to another disk.
  const database = `${dataDir}/postgres`;
  const directory = fs.realpathSync(fs.existsSync(database) ? database : dataDir);
  const { bsize, bavail, blocks } = fs.statfsSync(directory);
  return { directory, free: bavail * bsize, all: blocks * bsize };
}
