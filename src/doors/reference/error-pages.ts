import type { ErrorName, ErrorReference } from "../../kit/openapi/reference.ts";
import { errorsOfRequest } from "../../kit/openapi/request-errors.ts";
import { errorPath, protocolErrors } from "../../platform/http/http-error.ts";
import { heading, links, paragraph, type Block } from "./blocks.ts";
import { errorTexts, linksOf } from "./documents.ts";
import { parseMarkdown } from "./markdown.ts";
import { operationsOf, type Noun } from "./noun-page.ts";

/** An error with its section of docs/errors.md. */
export type DescribedError = { name: string; code: string; status: number; text: string; operations: Operation[] };

type Operation = { title: string; path: string };

/** Every error that a route can answer, and of an unknown route. Its section is a test's promise. */
export function describedErrors(nouns: readonly Noun[]): DescribedError[] {
  const { entries } = errorTexts();
  const described = new Map<string, DescribedError>();
  const add = ({ name, example }: { name: ErrorName; example: ErrorReference["example"] }, operations: Operation[]) => {
    const known = described.get(name);
    if (known !== undefined) return void known.operations.push(...operations);
    const { status, code } = example;
    described.set(name, { name, code: code ?? "", status, text: entries.get(name) ?? "", operations });
  };
  add({ name: "routeUnknown", example: protocolErrors.routeUnknown("") }, []);
  for (const { slug, routes } of nouns) {
    for (const [route] of operationsOf(routes)) {
      const { summary, operationId, errors } = route.reference;
      for (const error of errorsOfRequest(route)) add(error, []);
      for (const error of errors) add(error, [{ title: summary, path: `/docs/api/${slug}#${operationId}` }]);
    }
  }
  return [...described.values()];
}

/** The index of errors, in the order of docs/errors.md. */
export function errorIndexBlocks(errors: readonly DescribedError[]): Block[] {
  const { introduction, groups } = errorTexts();
  const link = linksOf("docs/errors.md");
  return [
    ...parseMarkdown(introduction, link),
    ...groups.flatMap(({ title, text, names }) =>
      [heading(2, title)].concat(parseMarkdown(text, link), listOf(errors.filter(({ name }) => names.includes(name)))),
    ),
  ];
}

function listOf(errors: readonly DescribedError[]): Block {
  const items = errors.map(({ code, status, text }) => ({
    title: `\`${code}\``,
    path: errorPath(code),
    summary: `${status}. ${firstSentence(text)}`,
  }));
  return links(items);
}

/** The page of one error: cause, remedy, whether to retry, the answer, and the operations that return it. */
export function errorBlocks({ text, operations }: DescribedError): Block[] {
  const own = parseMarkdown(text.replace("Retry: ", "**Retry:** "), linksOf("docs/errors.md"));
  const distinct = [...new Map(operations.map((each) => [each.path, each])).values()];
  return [
    ...own,
    heading(2, "Operations"),
    distinct.length === 0 ? paragraph("Every request can return it, if the cause applies.") : links(distinct),
    paragraph("[All errors](/docs/errors) lists the others, and the order of the checks."),
  ];
}

function firstSentence(text: string): string {
  return /^[^]*?\.(?=\s)/.exec(text.trim())?.[0].replaceAll("\n", " ") ?? "";
}
