import type { FastifyInstance } from "fastify";

export type Door = { method: string; path: string };

/**
 * Whatever a server answers, in whichever scope: methods and paths, as fastify knows them, with their parameters as
 * `:name`.
 */
export function everyDoor(server: FastifyInstance): Door[] {
  const doors: Door[] = [];
  const above: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).trimEnd().split("\n")) {
    const [, indent = "", shown = "", methods = ""] = /^([^\w/]*?[├└]── )(\S+) \(([^)]+)\)$/.exec(line) ?? [];
    if (shown === "") throw new Error(`no route could be read from ${line}`);
    const depth = indent.length / 4 - 1;
    // Where two routes name a parameter differently, one name is as good as the other.
    above[depth] = shown.replace(/\|.*$/, "");
    // A part goes on where the one above it ends, even within a word: "/remind" and "ers".
    const path = above
      .slice(0, depth + 1)
      .join("")
      .replace(/\/$/, "");
    doors.push(...methods.split(", ").map((method) => ({ method, path: path === "" ? "/" : path })));
  }
  return doors;
}
