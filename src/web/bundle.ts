/** Comments on lines of their own, and indentation, which browsers do not need. */
const FOR_READERS = /^\s*\/\*\*[^]*?\*\/\n|^\s*\/\/.*\n|^\s+/gm;
const IMPORT = /^import (?:.* from )?"\.\/(.+)";$/gm;

/**
 * Combines a script and its imports into one, each behind its own imports. Scripts with exports share the outer scope.
 * The others get a block each, so their names cannot collide.
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

/** Stylesheets as one, without comments and the spaces that browsers do not need. Their texts have none of these. */
export function stylesAsOne(sheets: readonly string[]): string {
  return sheets
    .join("\n")
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/^\s+/gm, "")
    .replaceAll(/([{};,])\n/g, "$1")
    .replaceAll("\n", " ")
    .replaceAll(/ (?=\{)|(?<=[:,]) |;(?=\})/g, "");
}
