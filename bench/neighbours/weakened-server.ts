import { buildApp } from "../../src/doors/app.ts";
import { readConfig } from "../../src/kit/config.ts";
import { openDeps } from "../../src/kit/deps.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { mechanisms } from "./mechanisms.ts";

// The product without the mechanism that its one parameter names. It answers requests and runs no jobs.

const missing = mechanisms.find(({ name }) => name === process.argv[2]);
if (missing === undefined) throw new Error(`there is no mechanism ${process.argv[2]}`);
const config = readConfig(process.env);
const deps = await openDeps(config, createLogger(config.logLevel), { sharing: missing.sharing(), makes: "database" });
const { server } = buildApp(deps);
await server.listen({ host: config.host, port: config.port });
