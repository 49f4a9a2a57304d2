import type { Statement } from "./statement.ts";

/** Asks whether the database answers at all. */
export const readyStatement: Statement = { name: "ready", text: "select 1" };
