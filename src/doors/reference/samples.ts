import type { DescribedRoute } from "../../kit/openapi/reference.ts";
import type { Block } from "./blocks.ts";

/** A request as an example shows it. */
type Call = { operationId: string; method: string; path: string; body: unknown };

/** The request of a route in four languages. All read the server's address and the token from the environment. */
export function sampleTabs(route: DescribedRoute): Block {
  const { method, path, reference } = route;
  const [example] = Object.values(reference.body?.examples ?? {});
  const call = {
    operationId: reference.operationId,
    method,
    path: path.replaceAll(/\{\w+\}/g, "1"),
    body: example?.value,
  };
  const tabs = [
    { title: "curl", language: "sh", text: curl(call) },
    { title: "TypeScript", language: "ts", text: typeScript(call) },
    { title: "Python", language: "python", text: python(call) },
    { title: "PHP", language: "php", text: php(call) },
  ];
  return {
    kind: "tabs",
    name: "Language",
    tabs: tabs.map(({ title, language, text }) => ({ title, blocks: [{ kind: "code", language, text }] })),
  };
}

function curl({ method, path, body }: Call): string {
  const usual = body === undefined ? "GET" : "POST";
  const lines = [
    `curl -s${method === usual ? "" : ` -X ${method}`} "$LIAISON${path}"`,
    `  -H "Authorization: Bearer $TOKEN"`,
    ...(body === undefined ? [] : [`  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(" \\\n");
}

function typeScript(call: Call): string {
  const use = clientCall(call);
  if (use === null) return withFetch(call);
  return `import { createClient } from "liaison-client";

const { LIAISON = "", TOKEN = "" } = process.env;
const client = createClient({ url: LIAISON, token: TOKEN });
${use}`;
}

/** A route that the client has no call for. */
function withFetch({ method, path, body }: Call): string {
  return `const { LIAISON, TOKEN } = process.env;
const answer = await fetch(\`\${LIAISON}${path}\`, {
  method: "${method}",
  headers: { authorization: \`Bearer \${TOKEN}\` },${body === undefined ? "" : `\n  body: JSON.stringify(${literal(body, JS, "  ")}),`}
});
console.log(await answer.json());`;
}

/** How the TypeScript client calls an operation, by the beginning of the operation's name. */
const CLIENT_CALLS: readonly [RegExp, (of: Of) => string][] = [
  [/^listAlikeCompanies$/, () => each("pair", "companies.alike()")],
  [/^list.+History$/, ({ noun }) => each("change", `${noun}.history(1)`)],
  [/^listWmsOrders$/, () => each("order", "companies.wmsOrders(1)")],
  [/^listWebhookDeliveries$/, () => each("delivery", "webhooks.deliveries(1)")],
  [/^listChanges$/, () => each("page", "changes.read()")],
  [/^listAll/, ({ noun, one }) => each(one, `${noun}.ofAllCompanies()`)],
  [/^list/, ({ noun, one, under }) => each(one, `${noun}.all(${under ? "1" : ""})`)],
  [/^create/, ({ noun, one, under, body }) => result(one, `${noun}.create(${under ? "1, " : ""}${body})`)],
  [/^showMe$/, () => result("me", "me.get()")],
  [/^showReceivables$/, () => result("report", "reports.receivables()")],
  [/^showSales$/, () => result("report", "reports.sales()")],
  [/^show/, ({ noun, one }) => result(one, `${noun}.get(1)`)],
  [/^(?:update|patch)/, ({ noun, one, body }) => result(one, `${noun}.update(1, ${body})`)],
  [/^delete/, ({ noun }) => `await client.${noun}.delete(1);`],
  [/^restore/, ({ noun, one }) => result(one, `${noun}.restore(1)`)],
  [/^batch/, ({ noun, items }) => result("{ results }", `${noun}.batch(${items})`, "results")],
  [/^eraseContact$/, () => result("receipt", "contacts.erase(1)")],
  [/^sendInvoice$/, () => result("invoice", "invoices.send(1)")],
  [/^rotateWebhookSecret$/, () => result("webhook", "webhooks.rotateSecret(1)")],
  [/^testWebhook$/, () => result("delivery", "webhooks.test(1)")],
  [/^redeliverWebhookDelivery$/, () => result("delivery", "webhooks.redeliver(1, 1)")],
];

/** `under`: the resources are listed and created under another one's path. */
type Of = { noun: string; one: string; under: boolean; body: string; items: string };

function clientCall({ operationId, path, body }: Call): string | null {
  const make = CLIENT_CALLS.find(([pattern]) => pattern.test(operationId))?.[1];
  if (make === undefined) return null;
  const segments = (path.split("?")[0] ?? "").split("/").slice(3);
  const under = segments.length === 3 && segments[2] !== "history";
  const noun = (under && /^(?:list|create)/.test(operationId) ? segments[2] : segments[0]) ?? "";
  const called = noun.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const one = called
    .replace(/ies$/, "y")
    .replace(/sses$/, "ss")
    .replace(/(?<!s)s$/, "");
  const items = (body as { items?: unknown } | undefined)?.items ?? [];
  return make({ noun: called, one, under, body: literal(body, JS), items: literal(items, JS) });
}

function each(name: string, call: string): string {
  return `for await (const ${name} of client.${call}) console.log(${name});`;
}

function result(name: string, call: string, printed = name): string {
  return `const ${name} = await client.${call};\nconsole.log(${printed});`;
}

function python({ method, path, body }: Call): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    os.environ["LIAISON"] + "${path}",
    method="${method}",
    headers={"Authorization": "Bearer " + os.environ["TOKEN"]},${body === undefined ? "" : `\n    data=json.dumps(${literal(body, PYTHON, "    ")}).encode(),`}
)
print(json.load(urllib.request.urlopen(request)))`;
}

function php({ method, path, body }: Call): string {
  const headers = [
    `"Authorization: Bearer " . getenv("TOKEN")`,
    ...(body === undefined ? [] : [`"Content-Type: application/json"`]),
  ];
  return `<?php
$context = stream_context_create(["http" => [
    "method" => "${method}",
    "header" => [${headers.join(", ")}],${body === undefined ? "" : `\n    "content" => json_encode(${literal(body, PHP, "    ")}),`}
]]);
print_r(json_decode(file_get_contents(getenv("LIAISON") . "${path}", false, $context), true));`;
}

/** How a language writes JSON values. */
type Syntax = {
  list: [string, string];
  object: [string, string];
  name: (name: string) => string;
  words: Record<string, string>;
  indent: string;
};

const JS: Syntax = { list: ["[", "]"], object: ["{", "}"], name: (name) => `${name}: `, words: {}, indent: "  " };
const PYTHON: Syntax = {
  list: ["[", "]"],
  object: ["{", "}"],
  name: (name) => `"${name}": `,
  words: { true: "True", false: "False", null: "None" },
  indent: "    ",
};
const PHP: Syntax = {
  list: ["[", "]"],
  object: ["[", "]"],
  name: (name) => `"${name}" => `,
  words: {},
  indent: "    ",
};
/** Characters of a line of code; a longer value has a line for each of its parts. */
const WIDTH = 64;

function literal(value: unknown, syntax: Syntax, indent = ""): string {
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value) ?? "null";
    // A dollar sign would begin a variable in PHP.
    return syntax === PHP ? text.replaceAll("$", String.raw`\$`) : (syntax.words[text] ?? text);
  }
  const inner = indent + syntax.indent;
  const isList = Array.isArray(value);
  const [open, close] = isList ? syntax.list : syntax.object;
  const parts = Object.entries(value).map(([name, member]) => {
    return `${isList ? "" : syntax.name(name)}${literal(member, syntax, inner)}`;
  });
  const isSpaced = !isList && syntax === JS;
  const line = `${open}${isSpaced ? " " : ""}${parts.join(", ")}${isSpaced ? " " : ""}${close}`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
