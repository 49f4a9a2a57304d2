import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Removes from a tree with production packages the files that no program reads: Node's headers, icons that no page
 * uses, types and source maps. Licences stay.
 */
export async function trim(root: string): Promise<void> {
  const packages = path.join(root, "node_modules");
  for (const name of fs.globSync("node-*", { cwd: packages }))
    for (const part of ["include", "share"])
      fs.rmSync(path.join(packages, name, part), { recursive: true, force: true });
  // What pdfmake and pdfkit have for browsers and their authors.
  for (const name of ["pdfmake/build", "pdfmake/src", "pdfkit/js/pdfkit.standalone.js", "pdfkit/.yarn"])
    fs.rmSync(path.join(packages, name), { recursive: true, force: true });
  await trimIcons(root, path.join(packages, "lucide-static"));
  const unread = fs.globSync("**/*.{map,d.ts,d.mts,d.cts,md}", { cwd: packages });
  for (const name of unread)
    if (!isLicence(path.basename(name))) fs.rmSync(path.join(packages, name), { recursive: true, force: true });
}

/** Whether a file has the terms of a package. */
export function isLicence(name: string): boolean {
  return /^(?:licen[cs]e|copying|notice)/i.test(name);
}

async function trimIcons(root: string, icons: string): Promise<void> {
  const assets = pathToFileURL(path.join(root, "src/kit/web/assets.ts")).href;
  const { icons: used } = (await import(assets)) as { icons: Record<string, string> };
  const kept = new Set(["package.json", ...Object.values(used).map((name) => `icons/${name}.svg`)]);
  for (const entry of fs.readdirSync(icons, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path.relative(icons, file)) && !isLicence(entry.name)) fs.rmSync(file);
  }
}

if (import.meta.main) await trim(process.cwd());
