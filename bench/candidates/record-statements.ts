import { routes } from "../../src/doors/routes.ts";
import type { Actor } from "../../src/kit/actor.ts";
import type { Deps } from "../../src/kit/deps.ts";
import { createBodyParser } from "../../src/platform/http/json-body.ts";
import { parseQuery } from "../../src/platform/http/lists/pagination.ts";
import type { Database, Reader, Run } from "../../src/platform/postgres/database.ts";
import type { Call, Row } from "../../src/platform/postgres/statement.ts";
import type { TenantId } from "../../src/platform/postgres/tenant-id.ts";
import { NOBODY } from "../../src/platform/sharing/caller.ts";
import { createSharing } from "../../src/platform/sharing/sharing.ts";
import type { LoadRequest } from "../load/load-job.ts";

/**
 * The statements that a request makes the product send, for those that replay them: the ideal server and the limit.
 * They follow the product's SQL by themselves.
 */
export type Template = { units: Unit[] };

/** One transaction. */
export type Unit = { lane: "quick" | "slow" | "write"; calls: TemplateCall[] };
export type TemplateCall = { name: string; text: string; parameters: Binding[] };

/** Where a parameter comes from: the id in the path, a member of the body, always the same, or one entry as JSON. */
export type Binding =
  | { from: "id" }
  | { from: "body"; member: string }
  | { from: "constant"; value: unknown }
  | { from: "entry"; members: Record<string, Binding> };

const parseBody = createBodyParser(createSharing().time);
const ID = /\/(\d+)/;

/** Runs the request's endpoint once, for real, and notes the transactions that it needed. */
export async function recordTemplate(deps: Deps, tenant: TenantId, request: LoadRequest): Promise<Template> {
  const [path = "", search = ""] = request.path.split("?");
  const id = ID.exec(path)?.[1] ?? "";
  const pattern = path.replace(ID, "/{}");
  const route = routes.find(
    ({ method, path: known }) => method === request.method && known.replaceAll(/\{\w+\}/g, "{}") === pattern,
  );
  if (route === undefined) throw new Error(`no route for ${request.method} ${path}`);
  const units: Unit[] = [];
  const actor: Actor = { tenant, country: "Romania", by: { kind: "key", id: "0" } };
  const body = request.body === undefined ? undefined : Buffer.from(request.body);
  const input = (await parseBody(body, tenant, NOBODY)) ?? {};
  await route.endpoint(
    { ...deps, database: recording(deps.database, units, (parameter) => bindingOf(parameter, id, input)) },
    {
      actor,
      params: { id, company: id },
      query: parseQuery(search),
      input,
      rate: null,
      may: () => true,
      ifMatch: undefined,
      trace: null,
      url: () => `http://127.0.0.1${path}`,
      waitForTurn: async () => {},
      async reserve() {},
      ignoreParameters: () => {},
      waitWithoutPlace: async () => false,
    },
  );
  return { units };
}

function bindingOf(parameter: unknown, id: string, input: Readonly<Record<string, unknown>>): Binding {
  if (id !== "" && parameter === id) return { from: "id" };
  const member = Object.keys(input).find((name) => input[name] === parameter);
  return member === undefined ? { from: "constant", value: parameter } : { from: "body", member };
}

function bindMembers(entry: object, bind: (value: unknown) => Binding): Record<string, Binding> {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, bind(value)]));
}

function recording(database: Database, units: Unit[], bind: (parameter: unknown) => Binding): Database {
  const note = (lane: Unit["lane"], tenant: TenantId, calls: Call[]) => {
    units.push({
      lane,
      calls: calls.map(({ statement, parameters, entries = [] }) => ({
        ...statement,
        parameters: [
          { from: "constant", value: tenant },
          ...parameters.map(bind),
          ...entries.map((entry) => ({ from: "entry" as const, members: bindMembers(entry, bind) })),
        ],
      })),
    });
  };
  const reader = (lane: "quick" | "slow"): Reader => ({
    async read(tenant, statement, parameters = []): Promise<Row[]> {
      note(lane, tenant, [{ statement, parameters }]);
      return await database[lane].read(tenant, statement, parameters);
    },
    async readAll(tenant, calls): Promise<Row[][]> {
      note(lane, tenant, calls);
      return await database[lane].readAll(tenant, calls);
    },
  });
  const recorded: Database = Object.assign(Object.create(database) as Database, {
    forCaller: () => recorded,
    quick: reader("quick"),
    slow: reader("slow"),
    async write(tenant: TenantId, calls: Call[]) {
      note("write", tenant, calls);
      return await database.write(tenant, calls);
    },
    async transaction<T>(tenant: TenantId, work: (run: Run) => Promise<T>) {
      const calls: Call[] = [];
      const result = await database.transaction(tenant, async (run) =>
        work(async (call) => {
          calls.push(call);
          return await run(call);
        }),
      );
      note("write", tenant, calls);
      return result;
    },
  });
  return recorded;
}
