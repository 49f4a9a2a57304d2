/** Clauses that begin a line. */
const CLAUSE =
  /^(?:select|from|where|order by|group by|limit|offset|union(?: all)?|left join|cross join|join|returning|and|or)\b/;
/** Texts in quotes, brackets and commas, clauses of two words, and words. */
const TOKENS = /E?'(?:[^']|'')*'|"[^"]*"|[(),]|(?:order|group) by\b|union all\b|(?:left|cross) join\b|[^\s(),'"]+/g;
const SELECTS = /^(?:select|with)\b/;

/** SQL with a clause on each line. A query in brackets is indented; other brackets stay on their line. */
export function formattedSql(source: string): string {
  const tokens = source.match(TOKENS) ?? [];
  const lines: string[] = [];
  let line = "";
  /** For each open bracket, whether it has a query. */
  const open: boolean[] = [];
  const end = () => {
    if (line.trim() !== "") lines.push(...wrapped(line));
    line = "  ".repeat(open.filter(Boolean).length);
  };
  let before = "";
  for (const [at, token] of tokens.entries()) {
    const isInQuery = open.at(-1) ?? true;
    if (token === "(") {
      line += spaced(line, before, token);
      open.push(SELECTS.test(tokens[at + 1] ?? "") && !isShort(tokens, at));
      if (open.at(-1) === true) end();
    } else if (token === ")") {
      if (open.pop() === true) end();
      line += token;
    } else {
      if (isInQuery && CLAUSE.test(token) && before !== "between") end();
      line += spaced(line, before, token);
    }
    before = token;
  }
  end();
  return lines.join("\n");
}

/** The most letters of a query in brackets that stays on its line. */
const SHORT = 80;

/** Whether the query in the bracket is short. @param at the place of the bracket */
function isShort(tokens: readonly string[], at: number): boolean {
  let [depth, letters] = [0, 0];
  for (const token of tokens.slice(at)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    letters += token.length + 1;
    if (depth === 0 || letters > SHORT) break;
  }
  return letters <= SHORT;
}

/** Words that a bracket follows without being their argument. */
const WORDS: ReadonlySet<string> = new Set(
  "and as by case else exists from in is join lateral like materialized not or over select then when where with".split(
    " ",
  ),
);

function spaced(line: string, before: string, token: string): string {
  const isArgument = token === "(" && /^[\w.]+$/.test(before) && !WORDS.has(before);
  const isJoined = line.trim() === "" || before === "(" || token === "," || token.startsWith("::") || isArgument;
  return isJoined ? token : ` ${token}`;
}

const COLUMNS = 120;

/** The line, broken behind commas where it is too long. */
function wrapped(line: string): string[] {
  const indent = `${/^ */.exec(line)?.[0]}  `;
  const lines: string[] = [];
  for (let rest = line; ;) {
    const at = rest.length <= COLUMNS ? -1 : rest.lastIndexOf(", ", COLUMNS - 1);
    if (at <= indent.length) return [...lines, rest];
    lines.push(rest.slice(0, at + 1));
    rest = indent + rest.slice(at + 2);
  }
}
