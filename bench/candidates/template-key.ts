import type { LoadRequest } from "../load/load-job.ts";

/** The requests of one template differ in the id in the path and in the body only. */
export function templateKey(token: string, { method, path }: Pick<LoadRequest, "method" | "path">): string {
  return `${token} ${method} ${path.replace(/\/\d+/, "/{id}")}`;
}
