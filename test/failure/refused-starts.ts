import assert from "node:assert/strict";
import { start, type Server } from "../program.ts";

export async function refuses(environment: Record<string, string>, expected: RegExp): Promise<string> {
  const program = start(["serve"], environment);
  const ended = await program.ended;
  const said = program.complaints().trim();
  assert.match(said, expected);
  assert.equal(said.includes("\n"), false, said);
  assert.equal(ended, 1);
  return said;
}

/** Ends a server, without a complaint. */
export async function stopped(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}
