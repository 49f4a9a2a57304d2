import type { FastifyRequest } from "fastify";

/** The pattern of a request without a route. */
export const UNKNOWN = "unknown";

const patterns = new Map<string, string>();

/**
 * The pattern of a request's route as in the API's description, `/api/v1/companies/{id}`. Never the path, which may
 * contain anything.
 */
export function patternOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  if (is404 || url === undefined) return UNKNOWN;
  return patterns.getOrInsertComputed(url, () => url.replaceAll(/:(\w+)/g, "{$1}"));
}
