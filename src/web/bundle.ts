/** Comments of whole lines, and indentation: only readers of a script need them. */
const FOR_READERS = /^\s*\/\*\*[^]*?\*\/\n|^\s*\/\/.*\n|^\s+/gm;
const IMPORT = /^import (?:.* from )?"\.\/(.+)";$/gm;

/**
 * A script and those that it imports as one, each after what it imports itself. What exports stands beside the others, which have a block
 * of their own: their names are no one else's.
 */
export function scriptsAsOne(name: string, read: (name: string) => string, known = new Set<string>()): string {
  if (known.has(name)) return "";
  known.add(name);
  const text = read(name);
  const imported = [...text.matchAll(IMPORT)].map(([, each = ""]) => scriptsAsOne(each, read, known));
  const own = text.replaceAll(IMPORT, "").replaceAll(FOR_READERS, "");
  const isShared = /^export /m.test(own);
  return [...imported, isShared ? own.replaceAll(/^export /gm, "") : `{\n${own}}\n`].join("");
}

/** Stylesheets as one. */
export function stylesAsOne(sheets: readonly string[]): string {
  return sheets
    .join("\n")
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/^\s+/gm, "");
}
