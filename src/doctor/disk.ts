import fs from "node:fs";
import type { Examination } from "./check.ts";

const GIBIBYTE = 2 ** 30;

/** Checks the disk of the data directory, if it exists. */
export const checkDisk: Examination = async ({ config: { dataDir } }) => {
  if (!fs.existsSync(dataDir)) return [];
  // The directory of the embedded database may be a link to another disk.
  const database = `${dataDir}/postgres`;
  const directory = fs.realpathSync(fs.existsSync(database) ? database : dataDir);
  const { bsize, bavail, blocks } = fs.statfsSync(directory);
  const [free, all] = [bavail * bsize, blocks * bsize].map((bytes) => bytes / GIBIBYTE) as [number, number];
  // PostgreSQL stops when the disk is full, and a restore or an import may double the data.
  if (free >= 1 && (free >= 50 || free >= all / 10)) return [];
  return [
    `The disk of ${directory} has ${free.toFixed(1)} GiB free of ${all.toFixed(1)}: make room, or move the data directory to a larger one.`,
  ];
};
