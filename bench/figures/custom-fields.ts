import type pg from "pg";
import type { Candidate } from "../candidates/candidates.ts";
import { postmasterOf } from "../candidates/process-usage.ts";
import { startProduct } from "../candidates/servers.ts";
import { untilIdle } from "../load/before-and-after.ts";
import { stopProcess } from "../load/processes.ts";
import { create, listPage1, show, update, type Scenario } from "../load/scenarios.ts";
import { startGenerator } from "../load/worker.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner, seed, type SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { inTurns } from "./in-turns.ts";
import { beginSession, time } from "./page-time.ts";

/** `narrowed`: the companies of the workspace whose lists are narrowed. */
export type FieldSizes = { companies: number; narrowed: number };

export const FULL_FIELDS: FieldSizes = { companies: 1_000, narrowed: 1_000_000 };
export const QUICK_FIELDS: FieldSizes = { companies: 50, narrowed: 500 };

const FIELDS = 10;
const GOAL_MS = 20;
/** One in ten thousand companies has the rare value. */
const RARE = 10_000;

/** Custom fields: requests of a workspace with ten that have values beside one with none, and narrowed lists. */
export async function fieldFigures(
  dataDir: string,
  { companies, narrowed }: FieldSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const slugs = ["plain", "fields", "narrowed"];
  const tenants = slugs.map((slug) => ({ slug, companies: slug === "narrowed" ? 10 : companies }));
  const { cluster, seeded } = await seed(dataDir, tenants, progress);
  const [plain, fields, large] = slugs.map((slug) => seeded.get(slug)) as [SeededTenant, SeededTenant, SeededTenant];
  const owner = await connectAsOwner(cluster.connection);
  await fillFields(owner, fields);
  const server = await startProduct("product", ROOT, dataDir);
  const generator = startGenerator();
  const stop = async () => await stopProcess(server.process);
  const postmaster = await postmasterOf(owner);
  const place = { dataDir, connection: cluster.connection, owner, postmaster, tenants: new Map() };
  const product: Candidate = { ...server, name: "product", generator, place, stop };
  const figures: Figure[] = [];
  try {
    for (const [scenario, beside, atLeast] of [
      [show, show, 0.9],
      [listPage1, listPage1, 0.9],
      [{ ...withValues(create), name: "create" }, create, 0.85],
      [update, update, 0.85],
      [withValues(update), update, undefined],
    ] as const) {
      progress(`${scenario.name} with ${FIELDS} fields`);
      const turns = await inTurns(product, plain, scenario, beside, { overTenant: fields });
      const name = `throughput of ${scenario.name} with ${FIELDS} custom fields / without`;
      figures.push({ name, ...turns, ...(atLeast !== undefined && { atLeast }) });
    }
    progress(`${narrowed} companies with values`);
    await fillNarrowed(owner, large, narrowed);
    figures.push(...(await narrowedFigures(product, large, "that statistics do not know", progress)));
    progress("analyze");
    await owner.query("analyze");
    figures.push(...(await narrowedFigures(product, large, "that statistics know", progress)));
  } finally {
    await generator.stop();
    await stop();
    await owner.end();
    await cluster.release();
  }
  return figures;
}

/** Ten fields of five kinds, and a value of each for every company. */
async function fillFields(owner: pg.Client, { id }: SeededTenant): Promise<void> {
  await owner.query(
    `insert into custom_fields (tenant_id, noun, key, label, kind, "position", options)
    select $1, 'company', 'f' || n, 'Field ' || n, (array['text', 'number', 'date', 'yes_no', 'choice'])[1 + n % 5], n,
      case when n % 5 = 4 then '[{"position":1,"value":"a","label":"A","archived":false}]'::jsonb end
    from generate_series(0, $2::integer - 1) n`,
    [id, FIELDS],
  );
  await owner.query("update companies set metadata = $2::text::jsonb, values_text = $2::text where tenant_id = $1", [
    id,
    JSON.stringify(values(0)),
  ]);
  await owner.query("vacuum analyze companies");
}

function values(number: number): Record<string, string | boolean> {
  const kinds = [`Text ${number}`, String(number % 9_000), "2026-11-28", number % 2 === 0, "a"];
  return Object.fromEntries(Array.from({ length: FIELDS }, (_, n) => [`f${n}`, kinds[n % kinds.length] ?? ""]));
}

/** The same writes, each with a value of each field. */
function withValues(scenario: Scenario): Scenario {
  return {
    ...scenario,
    name: `${scenario.name} of all values`,
    requests(tenant, serial, seconds) {
      const requests = scenario.requests(tenant, serial, seconds);
      for (const [index, request] of requests.entries()) {
        request.body = `${request.body?.slice(0, -1)},"custom":${JSON.stringify(values(serial + index))}}`;
      }
      return requests;
    },
  };
}

/** Companies by the million, without their triggers: all have one value, and few another. */
async function fillNarrowed(owner: pg.Client, { id }: SeededTenant, count: number): Promise<void> {
  await owner.query(
    `insert into custom_fields (tenant_id, noun, key, label, kind, "position")
    select $1, 'company', key, key, 'text', 1 from unnest(array['common', 'rare']) key`,
    [id],
  );
  await owner.query("set session_replication_role = replica");
  await owner.query(
    `insert into companies (tenant_id, name, country, metadata)
    select $1, 'Company ' || n, 'Romania', case when n % ${RARE} = 1 then '{"common": "yes", "rare": "yes"}' else '{"common": "yes"}' end::jsonb
    from generate_series(1, $2::integer) n`,
    [id, count],
  );
  await owner.query("set session_replication_role = origin");
  await owner.query(
    `insert into value_entries (tenant_id, entry, record_id)
    select $1, value_entry('company', v.key, v.value), c.id from companies c cross join jsonb_each_text(c.metadata) v
    where c.tenant_id = $1 and c.metadata is not null`,
    [id],
  );
}

async function narrowedFigures(
  { url, place: { owner } }: Candidate,
  tenant: SeededTenant,
  known: string,
  progress: (message: string) => void,
): Promise<Figure[]> {
  await untilIdle(owner);
  const cookie = `liaison=${await beginSession(owner, tenant)}`;
  const key = { authorization: `Bearer ${tenant.token}` };
  const page = { cookie, accept: "text/html" };
  const figures: Figure[] = [];
  for (const [name, path, headers, atMost] of [
    ["list of a rare value", "/api/v1/companies?custom[rare]=yes", key, GOAL_MS],
    ["list of a very common value", "/api/v1/companies?custom[common]=yes", key, GOAL_MS],
    ["list of it behind a cursor", "/api/v1/companies?custom[common]=yes&cursor=", key, GOAL_MS],
    ["list of both", "/api/v1/companies?custom[common]=yes&custom[rare]=yes", key, GOAL_MS],
    ["list of no value", "/api/v1/companies?custom[rare]=no", key, GOAL_MS],
    ["page of a rare value", "/companies?custom[rare]=yes", page, undefined],
    ["page of a very common value", "/companies?custom[common]=yes", page, undefined],
    ["finding a rare value", "/find?q=yes", page, undefined],
  ] as const) {
    progress(`${name}, ${known}`);
    const value = await time(`${url}${path}`, headers);
    figures.push({
      name: `${name}, of a workspace ${known}`,
      value,
      unit: "ms",
      ...(atMost !== undefined && { atMost }),
    });
  }
  return figures;
}
