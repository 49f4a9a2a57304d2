import type { OpenDeps } from "../deps.ts";

/** Creates the tenant `demo` and returns a token for it. */
export async function createDemo(_deps: OpenDeps): Promise<string> {
  return "";
}
