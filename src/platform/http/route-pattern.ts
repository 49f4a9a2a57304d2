import type { FastifyRequest } from "fastify";

/** The pattern of a request that nobody has a route for. */
export const UNKNOWN = "unknown";

const patterns = new Map<string, string>();

/** The pattern of a request's route as the API's description has it, `/api/v1/companies/{id}`: never the path, which somebody typed. */
export function patternOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  if (is404 || url === undefined) return UNKNOWN;
  return patterns.getOrInsertComputed(url, () => url.replaceAll(/:(\w+)/g, "{$1}"));
}
