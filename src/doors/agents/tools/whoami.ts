import type { JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

/** A file of its own: each tool has a file. */
export const whoamiTool: ReadingTool = {
  name: "whoami",
  title: "Who am I",
  description: "The workspace, the API key and what it may do, and the number of calls that are left in this minute.",
  needs: [],
  input: {},
  output: { tenant: { type: "object" }, key: { type: "object" }, version: { type: "string" } },
  async run(session) {
    const { data } = await session.read(await session.call(session.deps, "GET /me"));
    return data as JsonObject;
  },
};
