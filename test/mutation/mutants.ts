import fs from "node:fs";
import path from "node:path";
import { ts } from "@ts-morph/common";

/** One change of one file. */
export type Mutant = { file: string; at: number; from: string; to: string };

/** Every mutant of a file, in the order of its text. */
export function mutantsOf(root: string, file: string): Mutant[] {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const found = file.endsWith(".sql") ? inSql(text, 0) : inTypeScript(text);
  return found.map(({ at, from, to }) => ({ file, at, from, to })).filter(({ from, to }) => from !== to);
}

/** The text of a file with a mutant in it. */
export function mutated(text: string, { at, from, to }: Mutant): string {
  return text.slice(0, at) + to + text.slice(at + from.length);
}

type Change = Omit<Mutant, "file">;

const BINARY: Record<string, string[]> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
};
const METHODS = new Map(Object.entries({ max: "min", min: "max", some: "every", every: "some" }));

function inTypeScript(text: string): Change[] {
  const source = ts.createSourceFile("mutated.ts", text, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const replace = (node: ts.Node, to: string) => {
    const at = node.getStart(source);
    changes.push({ at, from: text.slice(at, node.end), to });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isOfLog(node, source)) return;
    if (ts.isBinaryExpression(node)) {
      const [left, right] = [node.left.getText(source), node.right.getText(source)];
      const operator = node.operatorToken.getText(source);
      for (const other of BINARY[operator] ?? []) replace(node.operatorToken, other);
      if (operator === "&&" || operator === "||") {
        replace(node, left);
        replace(node, right);
      }
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText(source));
    } else if (ts.isConditionalExpression(node)) {
      replace(node.condition, "true");
      replace(node.condition, "false");
    } else if (ts.isIfStatement(node)) {
      replace(node.expression, `!(${node.expression.getText(source)})`);
      if (node.elseStatement === undefined) replace(node, "{}");
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, "true");
    else if (ts.isNumericLiteral(node) && !ts.isElementAccessExpression(node.parent)) replace(node, `${node.text} + 1`);
    else if (ts.isExpressionStatement(node) && isCall(node.expression)) replace(node, "{}");
    else if (ts.isPropertyAccessExpression(node)) replace(node.name, METHODS.get(node.name.text) ?? node.name.text);
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 1) {
      for (const element of node.elements) {
        const end = text.startsWith(",", element.end) ? element.end + 1 : element.end;
        const at = element.getStart(source);
        changes.push({ at, from: text.slice(at, end), to: "" });
      }
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const at = node.getStart(source);
      const literal = text.slice(at, node.end);
      if (/\b(?:select|where|set|join|exists)\b/.test(literal)) changes.push(...inSql(literal, at));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

function isCall(node: ts.Expression): boolean {
  return ts.isAwaitExpression(node) ? isCall(node.expression) : ts.isCallExpression(node);
}

/** Words for people who operate the program are no promise. */
function isOfLog(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isIfStatement(node)) return node.elseStatement === undefined && isOfLog(node.thenStatement, source);
  return ts.isExpressionStatement(node) && /^(?:\w+\.)*logger\./.test(node.getText(source));
}

/** Changes that leave a statement valid. */
const SQL: [RegExp, string][] = [
  [/(?<=\s)<=(?=\s)/g, "<"],
  [/(?<=\s)<(?=\s)/g, "<="],
  [/(?<=\s)>=(?=\s)/g, ">"],
  [/(?<=\s)>(?=\s)/g, ">="],
  [/(?<=\s)<>(?=\s)/g, "="],
  [/\bis null\b/g, "is not null"],
  [/\bis not null\b/g, "is null"],
  [/\bnot exists\b/g, "exists"],
  [/\band not (?!exists|null)/g, "and "],
  [/\bwhen not (?!exists|null)/g, "when "],
  [/(?<!between\s\S+\s)\band(?=\s)/g, "or"],
  [/\bor(?= [a-z(])(?! replace)/g, "and"],
  [/ desc\b/g, " asc"],
  [/\bleast\b/g, "greatest"],
  [/\bgreatest\b/g, "least"],
  [/ for update\b/g, ""],
  [/ for share\b/g, ""],
  [/\bperform [^;]*;/g, "null;"],
  [
    /\s+and [\w.]+ (?:is (?:not )?null|(?:<>|<=|>=|[=<>]) (?:now\(\)|'[^']*'|\d+))(?=\s+(?:and|order|returning|limit|for|group)\b|\s*[\n)`"])/g,
    "",
  ],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
];

function inSql(text: string, offset: number): Change[] {
  const comments = [...text.matchAll(/--.*/g)].map(({ index, 0: { length } }) => [index, index + length] as const);
  return SQL.flatMap(([pattern, to]) =>
    [...text.matchAll(pattern)]
      .filter(({ index }) => !comments.some(([begin, end]) => begin <= index && index < end))
      .map(({ index, 0: from }) => ({ at: offset + index, from, to })),
  ).toSorted((one, other) => one.at - other.at);
}
