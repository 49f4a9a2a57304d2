import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout that the benchmark is part of. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** One directory per schema, so that a changed list of migrations gets a database of its own. */
export function dataDirectory(name: string, root = ROOT): string {
  const migrations = path.join(root, "migrations");
  const hash = createHash("sha256");
  for (const file of fs.globSync("**/*.sql", { cwd: migrations }).sort()) {
    hash.update(fs.readFileSync(path.join(migrations, file)));
  }
  return path.join(ROOT, "bench", "data", `${name}-${hash.digest("hex").slice(0, 8)}`);
}
