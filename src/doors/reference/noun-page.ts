import { idempotencyKey, ifMatch, pathParameters } from "../../kit/openapi/parameters.ts";
import type { DescribedRoute, Examples, Success } from "../../kit/openapi/reference.ts";
import { resourceChanged } from "../../kit/openapi/request-errors.ts";
import type { Resource } from "../../kit/openapi/resource.ts";
import { nameOf, type Schema } from "../../kit/openapi/schema.ts";
import { errorPath } from "../../platform/http/http-error.ts";
import { heading, jsonCode, links, paragraph, type Block } from "./blocks.ts";
import { answerRows, bodyRows, parameterRows, resourceRows } from "./field-rows.ts";
import { parseMarkdown } from "./markdown.ts";
import { sampleTabs } from "./samples.ts";

/** A group of routes with a page of its own. */
export type Noun = { slug: string; title: string; summary: string; routes: readonly DescribedRoute[] };

/** The nouns of the routes, in their order. */
export function nounsOf(routes: readonly DescribedRoute[]): Noun[] {
  const groups = Map.groupBy(routes, ({ reference }) => reference.tag.name);
  return [...groups].map(([title, group]) => ({
    slug: title.toLowerCase().replaceAll(" ", "-"),
    title,
    summary: group[0]?.reference.tag.description ?? "",
    routes: group,
  }));
}

/** The page of a noun: its operations, its fields, and each operation with samples and answers. */
export function nounBlocks({ summary, routes }: Noun): Block[] {
  const operations = operationsOf(routes);
  const resource = operations.flatMap(([route]) => route.reference.resource ?? [])[0];
  const list = operations.map(
    ([
      {
        path,
        reference: { operationId, summary },
      },
      methods,
    ]) => ({
      title: summary,
      path: `#${operationId}`,
      summary: `\`${methods} ${path}\``,
    }),
  );
  return [
    paragraph(summary),
    links(list),
    ...(resource === undefined ? [] : fieldBlocks(resource)),
    ...operations.flatMap(([route, methods]) => operationBlocks(route, methods, resource)),
  ];
}

/** The operations of a noun, with their methods: PUT and PATCH of one path are one operation. */
export function operationsOf(routes: readonly DescribedRoute[]): [DescribedRoute, string][] {
  const isTwice = ({ method, path }: DescribedRoute) =>
    method === "PUT" && routes.some((other) => other.path === path && other.method === "PATCH");
  return routes
    .filter(
      (route) => !(route.method === "PATCH" && routes.some((other) => other.path === route.path && isTwice(other))),
    )
    .map((route) => [route, isTwice(route) ? "PATCH or PUT" : route.method]);
}

function fieldBlocks(resource: Resource): Block[] {
  return [
    heading(2, "Fields"),
    paragraph(
      'Fields without a mark are optional. `null` and `""` mean: no value. Unknown and read-only fields of a request are ignored.',
    ),
    { kind: "fields", label: `Fields of a ${resource.singular}`, rows: resourceRows(resource) },
  ];
}

function operationBlocks(route: DescribedRoute, methods: string, resource: Resource | undefined): Block[] {
  const { method, path, capability, reference } = route;
  const { operationId, summary, description, query = [], body } = reference;
  const parameters = [...pathParameters(path), ...query];
  const [example] = Object.values(body?.examples ?? {});
  const sent = method === "PUT" && methods !== method ? { ...route, method: "PATCH" } : route;
  const tried: Block = {
    kind: "try",
    method: sent.method,
    path,
    query: query.map(({ name }) => String(name)),
    body: example === undefined ? null : JSON.stringify(example.value, null, 2),
  };
  const words: Block[] = [
    heading(2, summary, operationId),
    { kind: "call", method: methods, path, capability },
    ...parseMarkdown(description, () => null),
    ...(parameters.length === 0
      ? []
      : [
          heading(3, "Parameters", `${operationId}-parameters`),
          { kind: "fields", label: "Parameters", rows: parameterRows(parameters, operationId) } as const,
        ]),
    ...(body === undefined ? [] : bodyBlocks(operationId, body.schema, resource)),
    ...answerWords(route, resource),
    ...errorBlocks(route),
  ];
  return [{ kind: "beside", words, code: [sampleTabs(sent), tried, answerTabs(route)] }];
}

function bodyBlocks(operationId: string, schema: Schema, resource: Resource | undefined): Block[] {
  const title = heading(3, "Body", `${operationId}-body`);
  const isOfFields =
    resource !== undefined && [`${resource.model}Create`, `${resource.model}Update`].includes(nameOf(schema));
  if (isOfFields) return [title, paragraph("JSON with the [fields](#Fields) above.".replace("#Fields", "#fields"))];
  const all = bodyRows(schema, `${operationId}-body`);
  const isField = (row: (typeof all)[number]) =>
    resource?.fields.some(({ name }) => row.name === `items[].${name}`) === true;
  const rows = all.filter((row) => !isField(row));
  return [
    title,
    ...(rows.length < all.length ? [paragraph("An item has the [fields](#fields) above, and:")] : []),
    { kind: "fields", label: "Body", rows },
  ];
}

/** The members of an answer, if they are not the fields of the noun or a page of these. */
function answerWords({ reference }: DescribedRoute, resource: Resource | undefined): Block[] {
  const { operationId, success, resource: own } = reference;
  if (own !== undefined && own === resource) return [];
  const title = heading(3, "Answer", `${operationId}-answer`);
  return [title, { kind: "fields", label: "Answer", rows: answerRows(success.schema, `${operationId}-answer`) }];
}

function errorBlocks({ method, reference: { errors, operationId } }: DescribedRoute): Block[] {
  const codes = [...new Map(errors.map((each) => [each.example.code ?? "", each])).values()];
  const own = codes
    .toSorted((one, other) => one.example.status - other.example.status)
    .map(({ summary, example: { status, code } }) => [
      paragraph(`${status} [\`${code}\`](${errorPath(code ?? "")}): ${summary}`),
    ]);
  const headers = [
    ...(method === "GET" ? [] : [idempotencyKey]),
    ...(errors.includes(resourceChanged) ? [ifMatch] : []),
  ].map(({ name }) => `\`${String(name)}\``);
  const accepted = headers.length === 0 ? "" : ` It accepts the header ${headers.join(" and ")}.`;
  return [
    heading(3, "Errors", `${operationId}-errors`),
    ...(own.length === 0 ? [] : [{ kind: "list", isOrdered: false, items: own } as const]),
    paragraph(`${own.length === 0 ? "Only the" : "Also the"} [errors of every request](/docs/errors).${accepted}`),
  ];
}

/** Example answers by status: the successes, then each error of the route. */
function answerTabs({ path, reference }: DescribedRoute): Block {
  const { success, done, errors } = reference;
  const url = `https://crm.example.com${path.replaceAll(/\{\w+\}/g, "1")}`;
  const successes = [success, ...(done === undefined ? [] : [done])].map((each) => ({
    title: String(each.status),
    blocks: [jsonCode(exampleOf(each, url))],
  }));
  const refusals = [...Map.groupBy(errors, ({ example }) => example.status)]
    .toSorted(byStatus)
    .map(([status, group]) => ({
      title: String(status),
      blocks: [...new Set(group.map(({ example }) => example.json))].map((json) => jsonCode(JSON.parse(json))),
    }));
  return { kind: "tabs", name: "Status", tabs: [...successes, ...refusals] };
}

function byStatus([one]: [number, unknown], [other]: [number, unknown]): number {
  return one - other;
}

function exampleOf({ examples }: Success, url: string): unknown {
  const shown: Examples = typeof examples === "function" ? examples(url) : examples;
  return Object.values(shown)[0]?.value ?? null;
}
