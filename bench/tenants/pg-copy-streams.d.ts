/** The package comes without types; this is the part that the seed uses. */
declare module "pg-copy-streams" {
  import type { Writable } from "node:stream";
  import type { Submittable } from "pg";
  export function from(text: string): Writable & Submittable;
}
