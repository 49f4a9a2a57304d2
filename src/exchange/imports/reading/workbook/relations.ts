import type { Rest } from "../csv-reader.ts";
import { attribute, readXml } from "./xml.ts";

/** The parts that a part of a workbook names, whatever they are called. */
export type Relations = {
  /** The path of the first part of a type. @param type the last word of its name, in lower case */
  ofType: (type: string) => string | undefined;
  /** The path of a sheet with cells. */
  sheet: (id: string) => string | undefined;
};

/** More than a workbook of the most sheets has. */
const MOST_RELATIONS = 5_000;

const [relationOf, typeOf, targetOf, modeOf] = [
  attribute("Id"),
  attribute("Type"),
  attribute("Target"),
  attribute("TargetMode"),
];

/** @param path of the part that names them; empty for the archive itself */
export async function readRelations(
  part: (path: string) => AsyncIterable<Buffer>,
  path: string,
  rest: Rest,
): Promise<Relations> {
  const slash = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, slash);
  const byId = new Map<string, { type: string; path: string }>();
  const byType = new Map<string, string>();
  await readXml(part(`${folder}_rels/${path.slice(slash)}.rels`), rest, {
    open(name, tag) {
      if (name !== "Relationship" || modeOf(tag) === "External") return;
      if (byId.size >= MOST_RELATIONS || byType.size >= MOST_RELATIONS) return;
      const found = { type: lastWord(typeOf(tag) ?? "").toLowerCase(), path: resolved(folder, targetOf(tag) ?? "") };
      byId.set(relationOf(tag) ?? "", found);
      byType.getOrInsert(found.type, found.path);
    },
    close() {},
    text() {},
  });
  return {
    ofType: (type) => byType.get(type),
    sheet(id) {
      const found = byId.get(id);
      // Without a type, the folder decides.
      const isSheet = found?.type === "worksheet" || (found?.type === "" && /worksheets\//i.test(found.path));
      return isSheet ? found?.path : undefined;
    },
  };
}

function lastWord(type: string): string {
  return type.slice(type.lastIndexOf("/") + 1);
}

/** A target that begins with `/` is a path of the archive, any other one of the folder. It may have `.` and `..`. */
function resolved(folder: string, target: string): string {
  const plain = target.replaceAll("\\", "/");
  const steps: string[] = [];
  for (const step of (plain.startsWith("/") ? plain : folder + plain).split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return decoded(steps.join("/"));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
