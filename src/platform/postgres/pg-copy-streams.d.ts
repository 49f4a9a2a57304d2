/** The package has no types; these are the parts that we use. */
declare module "pg-copy-streams" {
  import type { Readable, Writable } from "node:stream";
  import type { Submittable } from "pg";
  export function from(text: string): Writable & Submittable;
  export function to(text: string): Readable & Submittable;
}
