import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GIT_MS = 2_000;

/** The version that package.json has. */
export function releaseVersion(): string {
  const { version } = JSON.parse(fs.readFileSync(`${ROOT}/package.json`, "utf8")) as { version: string };
  return version;
}

/** The commit of a checkout, shortened; null where this is none, or git is not there. */
export function checkoutCommit(): string | null {
  // Without it git would look above, and find somebody else's.
  if (!fs.existsSync(`${ROOT}/.git`)) return null;
  // A server may run as another user than the checkout's owner.
  const argv = ["-c", "safe.directory=*", "rev-parse", "--short=12", "HEAD"];
  const options = {
    cwd: ROOT,
    env: { PATH: "/usr/bin:/bin:/usr/local/bin" },
    encoding: "utf8",
    timeout: GIT_MS,
  } as const;
  const { status, stdout } = spawnSync("git", argv, options);
  return status === 0 ? stdout.trim() : null;
}
