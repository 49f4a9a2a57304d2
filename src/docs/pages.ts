import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";

/** GET /api/v1/openapi.json and /docs; neither needs a key. */
export function registerDocs(_server: FastifyInstance, _deps: Deps): void {}
