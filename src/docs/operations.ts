import type { Route } from "../routes.ts";
import {
  createExamples,
  emptyPageExample,
  minimalExample,
  pageExample,
  resourceExample,
  updatedExample,
  wmsOrderPageExample,
} from "./examples.ts";
import { nounOf, type Noun } from "./nouns.ts";
import { parametersOf } from "./parameters.ts";
import { errorResponses, response, type Examples } from "./responses.ts";
import { objectSchema, refTo, type Schema } from "./schema.ts";

/** One route as OpenAPI describes it. */
export function operation(route: Route): Schema {
  const noun = nounOf(route.path);
  const { description, status, answer, requestBody, ...words } = noun === undefined ? wmsOrders : wordsOf(route, noun);
  return {
    ...words,
    description: `${description}\n\nCapability: \`${route.capability}\`.`,
    security: [{ apiKey: [route.capability] }],
    ...parametersOf(route, noun),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      [status]: response(status, answer.description, answer.schema, answer.examples),
      ...errorResponses(route),
    },
  };
}

/** What sets the operations apart from each other. */
type Words = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  requestBody?: Schema;
  status: 200 | 201;
  answer: { description: string; schema: Schema; examples: Examples };
};

function wordsOf({ method, path }: Route, noun: Noun): Words {
  switch (method) {
    case "GET":
      return path.endsWith("/{id}") ? showing(noun) : listing(noun, path);
    case "POST":
      return creating(noun);
    case "PUT":
      return updating(noun);
    case "DELETE":
      return deleting(noun);
  }
}

function listing(noun: Noun, path: string): Words {
  const { model, plural, order } = noun;
  const examples = {
    page: { summary: "The second of three pages", value: pageExample(resourceExample(noun), path) },
    empty: { summary: "Nothing found", value: emptyPageExample(path) },
  };
  return {
    operationId: `list${tagOf(noun)}`,
    tags: [tagOf(noun)],
    summary: `List the ${plural}${path.includes("{company}") ? " of a company" : ""}`,
    description: `A page, with the exact total. Order: ${order}.`,
    status: 200,
    answer: { description: "The page.", schema: refTo(`${model}Page`), examples },
  };
}

function showing(noun: Noun): Words {
  const { model, singular, members, membersOfOne } = noun;
  const value = { data: resourceExample(noun, [...members, ...membersOfOne]) };
  const extra = membersOfOne.map((name) => `\`${name}\``).join(" and ");
  return {
    operationId: `show${model}`,
    tags: [tagOf(noun)],
    summary: `Show ${article(noun)}`,
    description: `The ${singular}, with ${extra}, which no other answer has.`,
    status: 200,
    answer: {
      description: `The ${singular}.`,
      schema: dataOf(`${model}Details`),
      examples: { [singular]: { summary: `One ${singular}`, value } },
    },
  };
}

function creating(noun: Noun): Words {
  const { model, singular, plural } = noun;
  const { minimal, complete } = createExamples(noun);
  const required = Object.keys(minimal).map((name) => `\`${name}\``);
  return {
    operationId: `create${model}`,
    tags: [tagOf(noun)],
    summary: `Create ${article(noun)}`,
    description:
      `Required: ${required.join(" and ")}. The same request sent twice makes two ${plural}` +
      (model === "Company"
        ? ", unless it has a `tax_id`: the second is then answered 409, which names the first."
        : "."),
    requestBody: jsonBody(`${model}Create`, {
      minimal: { summary: "Required fields only", value: minimal },
      complete: { summary: "Every field", value: complete },
    }),
    status: 201,
    answer: {
      description: `The new ${singular}.`,
      schema: dataOf(model),
      examples: {
        minimal: { summary: "Required fields only", value: { data: minimalExample(noun) } },
        complete: { summary: "Every field", value: { data: resourceExample(noun) } },
      },
    },
  };
}

function updating(noun: Noun): Words {
  const { model, singular, change } = noun;
  return {
    operationId: `update${model}`,
    tags: [tagOf(noun)],
    summary: `Update ${article(noun)}`,
    description:
      "A partial update: fields that are absent stay as they are. An update that changes no stored value leaves " +
      "`updated_at` alone, so sending it twice is safe.",
    requestBody: jsonBody(`${model}Update`, {
      change: { summary: "Change one field, clear another", value: change },
    }),
    status: 200,
    answer: {
      description: `The ${singular} after the update.`,
      schema: dataOf(model),
      examples: { change: { summary: "One field changed, another cleared", value: { data: updatedExample(noun) } } },
    },
  };
}

function deleting(noun: Noun): Words {
  const { model, singular } = noun;
  const description =
    model === "Company"
      ? "Only a company without invoices, offers, deals, tickets and subscriptions can be deleted. Its contacts and " +
        "addresses disappear with it, and its `tax_id` is free again."
      : `From then on the ${singular} is missing. A second delete is answered 404.`;
  return {
    operationId: `delete${model}`,
    tags: [tagOf(noun)],
    summary: `Delete ${article(noun)}`,
    description,
    status: 200,
    answer: {
      description: "It is deleted.",
      schema: refTo("Message"),
      examples: { deleted: { summary: "Deleted", value: { message: `${model} deleted.` } } },
    },
  };
}

const wmsOrders: Words = {
  operationId: "listWmsOrders",
  tags: ["WMS orders"],
  summary: "List the warehouse orders of a company's invoices",
  description:
    "Invoices that have an order in a warehouse management system; the others do not appear. Order: newest " +
    "`synced_at` first, null last. `wms.instance` and `wms.order_id` together identify the order; " +
    "`company.tax_id` is the business check; `wms.order_number` is for display only.",
  status: 200,
  answer: {
    description: "The page.",
    schema: refTo("WmsOrderPage"),
    examples: { page: { summary: "A recent order, and one older than `wms.instance`", value: wmsOrderPageExample } },
  },
};

function jsonBody(schema: string, examples: Examples): Schema {
  return { required: true, content: { "application/json": { schema: refTo(schema), examples } } };
}

/** The `{data: ...}` around a single resource. */
function dataOf(schema: string): Schema {
  return objectSchema({ data: refTo(schema) });
}

/** `Companies` */
export function tagOf({ plural }: Noun): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}

/** `a company`, `an address` */
function article({ singular }: Noun): string {
  return `${/^[aeiou]/.test(singular) ? "an" : "a"} ${singular}`;
}
