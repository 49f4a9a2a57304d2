import { pathParameters } from "./parameters.ts";
import type { Body, DescribedRoute, Success } from "./reference.ts";
import { errorsOfRequest } from "./request-errors.ts";
import { errorResponses, response, whereBodiesCount } from "./responses.ts";
import type { Schema } from "./schema.ts";

/** One route as OpenAPI describes it. */
export function operation({ path, capability, reference }: DescribedRoute): Schema {
  const { operationId, tag, summary, description, query, body, success, done, errors } = reference;
  const parameters = [...pathParameters(path), ...query];
  const responses = {
    ...(done === undefined ? {} : { [done.status]: successResponse(done, path) }),
    [success.status]: successResponse(success, path),
    ...errorResponses([...errorsOfRequest(capability, body), ...errors]),
  };
  return {
    operationId,
    tags: [tag.name],
    summary,
    description: `${description}\n\nCapability: \`${capability}\`.`,
    security: [{ apiKey: [capability] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: requestBody(body) }),
    responses: body === null ? responses : whereBodiesCount(responses),
  };
}

function requestBody({ schema, examples }: Body): Schema {
  return { required: true, content: { "application/json": { schema, examples } } };
}

function successResponse({ status, description, schema, examples }: Success, path: string): Schema {
  const url = `https://crm.example.com${path.replaceAll(/\{\w+\}/g, "1")}`;
  return response(status, description, schema, typeof examples === "function" ? examples(url) : examples);
}
