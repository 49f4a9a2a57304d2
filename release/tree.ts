import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { notices } from "./notices.ts";
import { trim } from "./trim.ts";

/** The committed files that a running program reads. */
const FILES = ["src", "migrations", "docs", "CHANGELOG.md", "README.md", "SECURITY.md", "package.json"];

export type Cpu = "x64" | "arm64";

/**
 * Makes the tree of a release for Linux on a processor: everything that runs, and nothing that must be on the machine
 * but glibc and a shell. `npm ci` is the only step that needs a registry.
 */
export async function makeTree(checkout: string, tree: string, cpu: Cpu): Promise<void> {
  fs.mkdirSync(tree, { recursive: true });
  const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: tree, maxBuffer: 2 ** 28 });
  const archive = execFileSync("git", ["archive", "HEAD", ...FILES, "package-lock.json", ".npmrc"], {
    cwd: checkout,
    maxBuffer: 2 ** 28,
  });
  execFileSync("tar", ["-x"], { cwd: tree, input: archive });
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: checkout, encoding: "utf8" }).trim();
  fs.writeFileSync(path.join(tree, "release.json"), `${JSON.stringify({ commit })}\n`);
  run("npm", ["ci", "--omit=dev", "--os=linux", `--cpu=${cpu}`, "--libc=glibc", "--no-bin-links"]);
  forgetDevelopment(path.join(tree, "package.json"));
  fs.writeFileSync(path.join(tree, "sbom.cdx.json"), run("npm", ["sbom", "--omit=dev", "--sbom-format=cyclonedx"]));
  fs.writeFileSync(path.join(tree, "THIRD-PARTY-NOTICES"), notices(path.join(tree, "node_modules")));
  fs.writeFileSync(path.join(tree, "NOTICE"), ownNotice());
  await trim(tree);
  const node = path.join(tree, `node_modules/node-linux-${cpu}`);
  fs.mkdirSync(path.join(tree, "bin"));
  fs.renameSync(path.join(node, "bin/node"), path.join(tree, "bin/node"));
  fs.rmSync(node, { recursive: true });
  fs.writeFileSync(path.join(tree, "bin/liaison"), launcher(tree), { mode: 0o755 });
  for (const name of ["package-lock.json", ".npmrc", "node_modules/.package-lock.json"])
    fs.rmSync(path.join(tree, name));
  refuseOtherProcessors(tree, cpu);
  // A strict umask would keep others from reading it.
  run("chmod", ["-R", "u=rwX,go=rX", "."]);
}

/** The processor of a program, at its place in the file (ELF's e_machine). */
const MACHINES: Record<Cpu, number> = { x64: 0x3e, arm64: 0xb7 };
const [MACHINE_AT, HEAD_BYTES] = [18, 20];

/** Throws if a program or a library of the tree is for another processor, or none is for this one. */
function refuseOtherProcessors(tree: string, cpu: Cpu): void {
  const head = Buffer.alloc(HEAD_BYTES);
  let programs = 0;
  for (const entry of fs.readdirSync(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const open = fs.openSync(file, "r");
    head.fill(0);
    fs.readSync(open, head, 0, HEAD_BYTES, 0);
    fs.closeSync(open);
    if (head.toString("latin1", 0, 4) !== "\x7fELF") continue;
    programs++;
    if (head.readUInt16LE(MACHINE_AT) !== MACHINES[cpu]) throw new Error(`${file} is not for ${cpu}.`);
  }
  if (programs === 0) throw new Error(`${tree} has no program.`);
}

/** `npm sbom` refuses a tree without the packages that development needs. */
function forgetDevelopment(file: string): void {
  const { devDependencies: _, ...rest } = JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>;
  fs.writeFileSync(file, `${JSON.stringify(rest, null, 2)}\n`);
}

function ownNotice(): string {
  return `Liaison is UNLICENSED: its owner has granted no licence. Without one, nobody else may use, copy or distribute it.

The programs and libraries beside it have licences of their own: see THIRD-PARTY-NOTICES.
`;
}

/** Starts the tree's own Node, with the flags of `npm start`. */
function launcher(tree: string): string {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(tree, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const flags = scripts.start.split(" ").filter((word) => word.startsWith("--"));
  return `#!/bin/sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$root/bin/node" ${flags.join(" ")} "$root/src/main.js" "$@"
`;
}

/** `/etc/liaison.env`: each setting of docs/operations.md 2, as a comment. */
export function environmentFile(tree: string, values: Record<string, string>): string {
  const page = fs.readFileSync(path.join(tree, "docs/operations.md"), "utf8");
  const [, section = ""] = /^## 2\. Environment\n([^]*?)^### /m.exec(page) ?? [];
  const settings = [...section.matchAll(/^\| (`.+?) \|(.*?)\| (.*) \|$/gm)].map(
    ([, names = "", fallback = "", meaning = ""]) => {
      const text = meaning.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
      const [name = "", ...files] = names.replaceAll("`", "").split(", ");
      const value = values[name];
      const line = value === undefined ? `#${name}=${fallback.replaceAll("`", "").trim()}` : `${name}=${value}`;
      return [`# ${text}`, line, ...files.map((file) => `#${file}=`)].join("\n");
    },
  );
  const head = "# Settings of Liaison: lines of NAME=VALUE (docs/operations.md 2).";
  return `${[head, ...settings].join("\n\n")}\n`;
}
