/** Comments on lines of their own, and indentation, which browsers do not need. */
const FOR_READERS = /^\s*\/\*\*[^]*?\*\/\n|^\s*\/\/.*\n|^\s+/gm;
const IMPORT = /^import (?:.* from )?"\.\/(.+)";$/gm;

/**
 * Combines a script and its imports into one, each behind its own imports. Scripts with exports share the outer scope.
 * The others get a block each, so their names cannot collide. The exports of the script itself stay.
 */
export function scriptsAsOne(name: string, read: (name: string) => string, known = new Set<string>()): string {
  if (known.has(name)) return "";
  const isEntry = known.size === 0;
  known.add(name);
  const text = read(name);
  const imported = [...text.matchAll(IMPORT)].map(([, each = ""]) => scriptsAsOne(each, read, known));
  const own = text.replaceAll(IMPORT, "").replaceAll(FOR_READERS, "");
  const isShared = /^export /m.test(own);
  return [...imported, isShared ? (isEntry ? own : own.replaceAll(/^export /gm, "")) : `{\n${own}}\n`].join("");
}

/** Lengths with a name, in pixels. They are the same on every page, and shorter as numbers. */
const LENGTHS = { "var(--step)": 8, "var(--half)": 4, "var(--radius)": 6 };
const MULTIPLE = /calc\((\d+)px \* (-?[\d.]+)\)/g;

/** Stylesheets as one, without comments and the spaces that browsers do not need. Their texts have none of these. */
export function stylesAsOne(sheets: readonly string[]): string {
  let text = sheets.join("\n");
  for (const [name, pixels] of Object.entries(LENGTHS)) text = text.replaceAll(name, `${pixels}px`);
  return text
    .replaceAll(MULTIPLE, (_, pixels: string, times: string) => `${Number(pixels) * Number(times)}px`)
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/^\s+/gm, "")
    .replaceAll(/([{};,])\n/g, "$1")
    .replaceAll("\n", " ")
    .replaceAll(/ (?=[{>~])|(?<=[:,>~]) |;(?=\})|(?<=[ :,(-])0(?=\.\d)/g, "");
}
