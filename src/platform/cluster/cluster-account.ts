import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { ClusterError } from "./cluster-error.ts";

/** The user that PostgreSQL runs as; null: our own. */
export type SystemAccount = { uid: number; gid: number } | null;

const OWN_USER = "liaison";
const HOME = "/nonexistent";
const SHELL = "/usr/sbin/nologin";

/**
 * PostgreSQL refuses to run as root. Under root it runs as the owner of the existing cluster, or of a new one's data
 * directory, or else as the user `liaison`, which is created.
 * @param cluster the path of the cluster, which need not exist yet
 */
export function accountForPostgres(dataDir: string, cluster: string): SystemAccount {
  const owner = fs.statSync(cluster, { throwIfNoEntry: false });
  if (process.getuid?.() !== 0) {
    if (owner !== undefined && owner.uid !== process.getuid?.()) {
      throw new ClusterError(
        `${cluster} belongs to the user with the number ${owner.uid}: start as that user, or set LIAISON_DATA_DIR to another directory.`,
      );
    }
    return null;
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const { uid } = fs.statSync(dataDir);
  // PostgreSQL's initdb fails for a user id without a name.
  const user = uid === 0 ? null : findUser((_, number) => number === uid);
  return user ?? ownUser();
}

function ownUser(): SystemAccount {
  const isOurs = (name: string): boolean => name === OWN_USER;
  const commands = [
    ["useradd", "--system", "--user-group", "--no-create-home", "--home-dir", HOME, "--shell", SHELL, OWN_USER],
    ["adduser", "--system", "--group", "--no-create-home", "--home", HOME, "--shell", SHELL, OWN_USER],
  ];
  for (const [command = "", ...options] of commands) {
    const user = findUser(isOurs);
    if (user !== null) return user;
    spawnSync(command, options, { stdio: "ignore" });
  }
  const user = findUser(isOurs);
  if (user !== null) return user;
  throw new ClusterError(
    `PostgreSQL does not run as root, and neither useradd nor adduser could create the user ${OWN_USER} for it: create a system user of that name, start as an ordinary user, or set DATABASE_URL.`,
  );
}

function findUser(isMeant: (name: string, uid: number) => boolean): SystemAccount {
  for (const line of fs.readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name = "", , uid, gid] = line.split(":");
    if (uid !== undefined && gid !== undefined && isMeant(name, Number(uid))) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  return null;
}
