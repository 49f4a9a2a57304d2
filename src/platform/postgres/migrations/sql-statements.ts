/** Strings, names, dollar-quoted bodies and comments, in which a semicolon ends nothing; then any other text. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\/|[^'"$/;-]+|[^]/g;

/** The statements of an SQL file. It supports no `\'` in a string, and only quoted bodies of functions. */
export function statementsOf(sql: string): string[] {
  const statements: string[] = [];
  let statement = "";
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token !== ";") statement += token;
    else statements.push(statement.trim());
    if (token === ";") statement = "";
  }
  const isRest = statement.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, "").trim() !== "";
  return isRest ? [...statements, statement.trim()] : statements;
}
