import fs from "node:fs";
import path from "node:path";
import { isLicence } from "./trim.ts";

/** The licences of the packages in a folder: what each one names, and the text that it brings. */
export function notices(packages: string): string {
  const parts = fs
    .globSync(
      ["**/node_modules/*/package.json", "**/node_modules/@*/*/package.json", "*/package.json", "@*/*/package.json"],
      {
        cwd: packages,
      },
    )
    .toSorted()
    .map((file) => noticeOf(path.join(packages, path.dirname(file))));
  return `Parts of other authors in this release, and their licences.\n\n${parts.join("\n")}`;
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const texts = fs
    .readdirSync(folder)
    .filter(isLicence)
    .map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim());
  if (license === undefined && texts.length === 0) throw new Error(`${name} names no licence.`);
  const rule = "-".repeat(80);
  return [rule, `${name} ${version}: ${license ?? "see below"}`, "", ...texts, ""].join("\n");
}
