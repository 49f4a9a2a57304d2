import path from "node:path";
import { familyCpuSeconds, postmasterOf } from "../candidates/process-usage.ts";
import { startProduct } from "../candidates/servers.ts";
import { median } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { startWorker } from "../load/worker.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner, seed, type SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import type { HeardOf, Opened, ReceiversJob } from "./webhook-receivers.ts";

export type WebhookSizes = {
  /** To one receiver. */
  deliveries: number;
  /** Each has `webhooksEach` webhooks, of which half are dead. */
  tenants: number;
  webhooksEach: number;
  /** The changes of a round, by the tenants in turn, and the milliseconds between two. */
  changes: number;
  everyMs: number;
  rounds: number;
};

/** The sizes that goals are set for, and those of a quick check that everything runs. */
export const FULL_WEBHOOKS: WebhookSizes = {
  deliveries: 10_000,
  tenants: 20,
  webhooksEach: 50,
  changes: 60,
  everyMs: 200,
  rounds: 2,
};
export const QUICK_WEBHOOKS: WebhookSizes = {
  deliveries: 40,
  tenants: 2,
  webhooksEach: 4,
  changes: 4,
  everyMs: 10,
  rounds: 1,
};

const OF_A_BATCH = 1_000;
/** A receiver without its message by then gets none. */
const WITHIN_MS = 120_000;

type Ask = (tenant: SeededTenant, method: string, at: string, body?: object) => Promise<{ data: { id: number } }>;
type Receivers = ReturnType<typeof startWorker<ReceiversJob, Opened | HeardOf>>;

/** Webhooks: the messages of one receiver in a second, and the effect of dead receivers on the others. */
export async function webhookFigures(
  dataDir: string,
  sizes: WebhookSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const slugs = Array.from({ length: sizes.tenants }, (_, number) => `webhooks-${number + 1}`);
  const { cluster, seeded } = await seed(
    dataDir,
    slugs.map((slug) => ({ slug, companies: 1 })),
    progress,
  );
  const tenants = slugs.map((slug) => seeded.get(slug) as SeededTenant);
  const receivers: Receivers = startWorker(path.join(import.meta.dirname, "webhook-receivers.ts"));
  const environment = { LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" };
  const server = await startProduct("product", ROOT, dataDir, { environment });
  const ask = askerOf(server.url);
  const owner = await connectAsOwner(cluster.connection);
  const postmaster = await postmasterOf(owner);
  const spent = () => familyCpuSeconds(server.pid) + familyCpuSeconds(postmaster);
  try {
    progress("one receiver");
    const perSecond = await tellOne(ask, tenants[0] as SeededTenant, receivers, sizes.deliveries);
    const beside = await besideDead({ ask, tenants, receivers, spent }, sizes, progress);
    return [{ name: "deliveries a second to one receiver", value: perSecond, atLeast: 500 }, ...beside];
  } finally {
    await stopProcess(server.process);
    await receivers.stop();
    await owner.end();
    await cluster.release();
  }
}

async function tellOne(ask: Ask, tenant: SeededTenant, receivers: Receivers, deliveries: number): Promise<number> {
  const { answering } = await open(receivers, 1, 0);
  const { id } = (await ask(tenant, "POST", "/webhooks", { url: answering[0] })).data;
  const heard = hear(receivers, deliveries);
  for (let from = 0; from < deliveries; from += OF_A_BATCH) {
    const length = Math.min(OF_A_BATCH, deliveries - from);
    const items = Array.from({ length }, (_, index) => ({ name: `Told ${from + index}` }));
    await ask(tenant, "POST", "/companies/batch", { items });
  }
  const { seconds } = await heard;
  await ask(tenant, "DELETE", `/webhooks/${id}`);
  return deliveries / seconds;
}

type Place = {
  ask: Ask;
  tenants: SeededTenant[];
  receivers: Receivers;
  /** Seconds of processor time that the server and PostgreSQL have used so far. */
  spent: () => number;
};

/** What was heard in a round, and the milliseconds of processor time for each message. */
type Round = HeardOf & { cpu: number };

/**
 * The time from a change to each of those that answer, while the other half is switched off, and while it is dead, by
 * turns.
 */
async function besideDead(
  { ask, tenants, receivers, spent }: Place,
  { webhooksEach, changes, everyMs, rounds }: WebhookSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const half = webhooksEach / 2;
  const count = tenants.length * half;
  progress(`making ${(2 * count).toLocaleString("en")} webhooks`);
  const { answering, dead } = await open(receivers, count, count);
  const make = async (url: string, index: number, active: boolean) => {
    const tenant = tenants[index % tenants.length] as SeededTenant;
    return { tenant, id: (await ask(tenant, "POST", "/webhooks", { url, active })).data.id };
  };
  for (const [index, url] of answering.entries()) await make(url, index, true);
  const switched: Awaited<ReturnType<typeof make>>[] = [];
  for (const [index, url] of dead.entries()) switched.push(await make(url, index, false));
  const round = async (areDead: boolean): Promise<Round> => {
    for (const { tenant, id } of switched) await ask(tenant, "PUT", `/webhooks/${id}`, { active: areDead });
    const heard = hear(receivers, changes * half);
    const before = spent();
    for (let change = 0; change < changes; change++) {
      await ask(tenants[change % tenants.length] as SeededTenant, "POST", "/companies", { name: `Change ${change}` });
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    return { ...(await heard), cpu: (1_000 * (spent() - before)) / (changes * half) };
  };
  const [alone, beside]: [Round[], Round[]] = [[], []];
  // The first round warms up.
  for (let number = 0; number <= rounds; number++) {
    progress(`${count} receivers alone, and beside as many dead ones, round ${number} of ${rounds}`);
    const both = [await round(false), await round(true)] as const;
    if (number === 0) continue;
    alone.push(both[0]);
    beside.push(both[1]);
  }
  const of = (all: Round[], value: (round: Round) => number) => median(all.map(value));
  const ratioOf = (value: (round: Round) => number) =>
    median(beside.map((round, index) => value(round) / value(alone[index] as Round)));
  const [p99, cpu] = [({ p99 }: Round) => p99, ({ cpu }: Round) => cpu];
  const name = `${count} receivers of ${tenants.length} tenants receive a change`;
  return [
    { name, value: of(alone, ({ p50 }) => p50), unit: "ms" },
    { name: "its p99", value: of(alone, p99), unit: "ms" },
    { name: "the p99 beside as many dead ones", value: of(beside, p99), unit: "ms" },
    { name: "the p99 beside as many dead ones / alone", value: ratioOf(p99), atMost: 2, byCpu: ratioOf(cpu) },
    { name: "processor time of a message", value: of(alone, cpu), unit: "ms" },
    { name: "the same beside as many dead ones", value: of(beside, cpu), unit: "ms" },
  ];
}

async function open(receivers: Receivers, answering: number, dead: number): Promise<Opened> {
  const hanging = Math.ceil(dead / 2);
  return (await receivers.run({ open: { answering, hanging, refusing: dead - hanging } })) as Opened;
}

async function hear(receivers: Receivers, messages: number): Promise<HeardOf> {
  const heard = (await receivers.run({ hear: { messages, withinMs: WITHIN_MS } })) as HeardOf;
  if (heard.messages < messages) throw new Error(`${heard.messages} of ${messages} messages came`);
  return heard;
}

function askerOf(url: string): Ask {
  return async ({ token }, method, at, body) => {
    const answer = await fetch(`${url}/api/v1${at}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { data: { id: number } };
  };
}
