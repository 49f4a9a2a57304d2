import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { environmentFile, type Cpu } from "./tree.ts";

const DEBIAN = path.join(import.meta.dirname, "debian");
const ARCHITECTURES: Readonly<Record<Cpu, string>> = { x64: "amd64", arm64: "arm64" };
/** Where PostgreSQL's user may write, and others may not read. */
const DATA = "/var/lib/liaison/data";

/** Makes a package of Debian from a tree. Its time is that of the commit, so that two makes are equal. */
export function makeDeb(tree: string, cpu: Cpu, version: string, at: string, to: string): string {
  const root = path.join(to, `deb-${cpu}`);
  const data = path.join(root, "data");
  const put = (name: string, text: string, mode = 0o644) => {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    fs.chmodSync(file, mode);
  };
  const read = (name: string) => fs.readFileSync(path.join(DEBIAN, name), "utf8");
  fs.mkdirSync(path.join(data, "usr/lib"), { recursive: true });
  execFileSync("cp", ["-a", tree, path.join(data, "usr/lib/liaison")]);
  fs.mkdirSync(path.join(data, "usr/bin"), { recursive: true });
  fs.symlinkSync("../lib/liaison/bin/liaison", path.join(data, "usr/bin/liaison"));
  put("data/usr/lib/systemd/system/liaison.service", read("liaison.service"));
  put("data/usr/lib/sysusers.d/liaison.conf", read("liaison.sysusers"));
  put("data/etc/liaison.env", environmentFile(tree, { LIAISON_DATA_DIR: DATA, LIAISON_DEMO: "off" }), 0o640);
  const [size = ""] = execFileSync("du", ["-sk", data], { encoding: "utf8" }).split("\t");
  put(
    "control/control",
    read("control").replace("VERSION", version).replace("ARCH", ARCHITECTURES[cpu]).replace("SIZE", size),
  );
  put("control/conffiles", "/etc/liaison.env\n");
  for (const script of ["postinst", "prerm"]) put(`control/${script}`, read(script), 0o755);
  const pack = (folder: string) => packed(path.join(root, folder), at);
  const file = path.join(to, `liaison_${version}_${ARCHITECTURES[cpu]}.deb`);
  writeArchive(file, at, [
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.gz", pack("control")],
    ["data.tar.gz", pack("data")],
  ]);
  fs.rmSync(root, { recursive: true });
  return file;
}

/** A tar of a folder's content, all of root. */
export function packed(folder: string, at: string, name = "."): Buffer {
  const options = ["--sort=name", `--mtime=@${at}`, "--owner=0", "--group=0", "--numeric-owner", "-I", "gzip -n", "-c"];
  return execFileSync("tar", [...options, "-C", folder, name], { maxBuffer: 2 ** 30 });
}

/** An archive in the format of `ar`, which a package of Debian is. */
function writeArchive(file: string, at: string, members: [string, Buffer][]): void {
  const parts = members.flatMap(([name, content]) => [
    Buffer.from(
      `${name.padEnd(16)}${at.padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.from(content.length % 2 === 0 ? "" : "\n"),
  ]);
  fs.writeFileSync(file, Buffer.concat([Buffer.from("!<arch>\n"), ...parts]));
}
