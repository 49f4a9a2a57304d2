import { idempotencyKey, ifMatch, ifNoneMatch, pathParameters } from "./parameters.ts";
import type { BodyReference, DescribedRoute, Success } from "./reference.ts";
import { errorsOfRequest, resourceChanged } from "./request-errors.ts";
import { errorResponses, notModified, replayedHeader, response, tagHeader, withIgnored } from "./responses.ts";
import type { Schema } from "./schema.ts";

/** One route as OpenAPI describes it. */
export function operation(route: DescribedRoute): Schema {
  const { method, path, capability, reference } = route;
  const { operationId, tag, summary, description, query = [], body, success, done, errors } = reference;
  const mayBeKnown = method === "GET" && success.tagged === true;
  const parameters = [
    ...pathParameters(path),
    ...query,
    ...(mayBeKnown ? [ifNoneMatch] : []),
    ...(errors.includes(resourceChanged) ? [ifMatch] : []),
    ...(method === "GET" ? [] : [idempotencyKey]),
  ];
  const responses = {
    ...(done === undefined ? {} : { [done.status]: successResponse(done, route) }),
    [success.status]: successResponse(success, route),
    ...(mayBeKnown ? { 304: notModified() } : {}),
    ...errorResponses([...errorsOfRequest(route), ...errors]),
  };
  return {
    operationId,
    tags: [tag.name],
    summary,
    description: `${description}\n\nCapability: ${capability === null ? "none" : `\`${capability}\``}.`,
    security: [{ apiKey: capability === null ? [] : [capability] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: withIgnored(responses, body !== undefined),
  };
}

function requestBody({ schema, examples }: BodyReference): Schema {
  return { required: true, content: { "application/json": { schema, examples } } };
}

function successResponse(
  { status, tagged, description, schema, examples }: Success,
  { method, path }: DescribedRoute,
): Schema {
  const url = `https://crm.example.com${path.replaceAll(/\{\w+\}/g, "1")}`;
  const shown = typeof examples === "function" ? examples(url) : examples;
  const own = { ...(tagged === true ? tagHeader : {}), ...(method === "GET" ? {} : replayedHeader) };
  return response(status, description, schema, shown, own);
}
