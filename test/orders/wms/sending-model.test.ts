import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { IMPORT_JOB } from "../../../src/exchange/imports/import.ts";
import type { OpenDeps } from "../../../src/kit/deps.ts";
import { attemptJob } from "../../../src/kit/jobs/attempt-job.ts";
import { finishing, holding, type Claimed } from "../../../src/kit/jobs/job-queries.ts";
import type { Job } from "../../../src/kit/jobs/job.ts";
import { restoreTenant } from "../../../src/operation/backup/tenant/restore-tenant.ts";
import { takeTenantBackup } from "../../../src/operation/backup/tenant/take-tenant-backup.ts";
import { sendReasonOf, type SendReason } from "../../../src/orders/invoices/wms-error.ts";
import { CANCEL_ORDER_JOB, queueCancellation } from "../../../src/orders/wms/cancelling/cancel-queries.ts";
import { leaveConnection, saveConnection } from "../../../src/orders/wms/connection/connection-queries.ts";
import {
  removeWorkspaceConnection,
  saveWorkspaceConnection,
} from "../../../src/orders/wms/connection/workspace-connection-queries.ts";
import { checkOrder } from "../../../src/orders/wms/following/check-order.ts";
import { rules } from "../../../src/orders/wms/following/follow-orders.ts";
import { recordNews } from "../../../src/orders/wms/following/follow-queries.ts";
import { lookUpOrders } from "../../../src/orders/wms/sending/sending-queries.ts";
import { findWorkspaceConnection } from "../../../src/orders/wms/workspace-warehouse-queries.ts";
import { createApiKey } from "../../../src/people/api-keys/create-api-key.ts";
import { findTenant } from "../../../src/people/tenants/tenant-queries.ts";
import type { TenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { jobKinds } from "../../../src/worker.ts";
import { signedIn, type Visitor } from "../../doors/pages/visitor.ts";
import { request, startServer, unlimited, type Answer } from "../../harness.ts";
import { queueOf } from "../../kit/jobs/queue.ts";
import { fc, runs } from "../../properties.ts";
import { createScriptedWarehouse, type Look, type Post, type ScriptedWarehouse } from "./scripted-warehouse.ts";

/**
 * Every order of what warehouses, workers and people do about an invoice: never two orders, and the link is the order.
 */
const KIND = "send-invoice";
const FOLLOW_KIND = "follow-orders";
/** The id of an order of an unknown warehouse: none of the scripted ones has it. */
const OF_NOWHERE = 999_999_999;
const server = await startServer();
const { database, keyring, config } = server.deps;
const queue = queueOf(server);
const opened: OpenDeps = {
  ...server.deps,
  connection: server.connection,
  applied: [],
  migratedMs: 0,
  relocatedTo: null,
  remark: null,
  close: async () => {},
};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-model-"));
after(() => fs.rmSync(folder, { recursive: true }));
let numbers = 0;

type Step =
  /** A worker takes the job, where one waits. If its call stalls, it loses its lease. */
  | { step: "attempt"; post: Post; look: Look }
  /** The workers that stall go on. */
  | { step: "wake" }
  /** As long as LIAISON_WMS_SETTLE. */
  | { step: "settle" }
  | { step: "queue" }
  /** The connection that the scene uses is saved, with a new key, or ended: the company's own, or the workspace's. */
  | { step: "connect"; subdomain: string | null }
  /** The company's own; null: the workspace's holds. */
  | { step: "own"; subdomain: string | null }
  /** The workspace's. */
  | { step: "workspace"; subdomain: string | null }
  /** The company's invoices are sent to no warehouse. */
  | { step: "never" }
  | { step: "change"; status: string }
  | { step: "edit"; total: string }
  /** The goods go to one of the company's addresses (null: to the default one), or that address changes or goes. */
  | { step: "address"; at: 0 | 1 | null }
  | { step: "moved"; at: 0 | 1; street: string | null }
  /** The company pays later. */
  | { step: "terms"; days: number }
  /** The import that made the invoice is undone, or the same file is imported again. */
  | { step: "undo" }
  | { step: "import" }
  /** Both, and the invoice is queued. */
  | { step: "again" }
  /** The database's clock is set back. */
  | { step: "clock" }
  /** The warehouse says of the invoice's order that it is gone, which may be a mistake, or that it is cancelled. */
  | { step: "gone"; isMistaken: boolean }
  | { step: "cancelled" }
  /** The invoice is cancelled, and a worker asks the warehouse to cancel its order. */
  | { step: "cancel there"; post: Post; look: Look }
  /** What a person says of that, and takes back. */
  | { step: "send again" }
  | { step: "right so" }
  | { step: "take back" }
  /** A person has the warehouse asked now, or puts the need off. */
  | { step: "check" }
  | { step: "put off" }
  /** A file names an order of a warehouse that nobody knows, and a person says that it is none. */
  | { step: "link" }
  | { step: "not an order" }
  /** A second installation, of the same source and tenant, has an invoice of this id at the company's warehouse. */
  | { step: "elsewhere" }
  /** The company's fiscal id is corrected. */
  | { step: "fiscal id"; taxId: string }
  /**
   * The tenant is backed up; the database goes back to that, and resumes after the loss; or the backup becomes a tenant
   * of another slug.
   */
  | { step: "backup" }
  | { step: "lose" }
  | { step: "copy" }
  /**
   * A person has looked at the warehouses that the company was connected with before, and says that no order is there.
   */
  | { step: "none elsewhere" };

const posts: Post[] = [
  "created",
  "executed",
  "executed later",
  "lost",
  "throttled",
  "refused",
  "credentials",
  "unsent",
];
const post = fc.constantFrom<Post>(...posts, "stalls before", "stalls after", "stalls meanwhile");
const look = fc.constantFrom<Look>("all", "lagging", "unknown", "throttled", "credentials", "unsent", "stalls");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ step: fc.constant("attempt" as const), post, look }) },
  { weight: 2, arbitrary: fc.constant<Step>({ step: "wake" }) },
  { weight: 4, arbitrary: fc.constant<Step>({ step: "settle" }) },
  { weight: 3, arbitrary: fc.constant<Step>({ step: "queue" }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("connect" as const),
      subdomain: fc.constantFrom("home", "away", "away", null),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constantFrom("own" as const, "workspace" as const, "workspace" as const),
      subdomain: fc.constantFrom("home", "away", null),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ step: "never" }) },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant("change" as const), status: fc.constantFrom("issued", "cancelled") }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constant("edit" as const), total: fc.constantFrom("1.00", "2.00", "3.00") }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Step>(
      { step: "address", at: 0 },
      { step: "address", at: 1 },
      { step: "address", at: null },
      { step: "moved", at: 1, street: "Strada Nouă 3" },
      { step: "moved", at: 1, street: null },
      { step: "terms", days: 14 },
    ),
  },
  { weight: 6, arbitrary: fc.constantFrom<Step>({ step: "undo" }, { step: "import" }, { step: "again" }) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ step: "clock" }, { step: "elsewhere" }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>(
      { step: "gone", isMistaken: true },
      { step: "gone", isMistaken: false },
      { step: "cancelled" },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Step>(
      { step: "send again" },
      { step: "send again" },
      { step: "right so" },
      { step: "take back" },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("cancel there" as const), post: fc.constantFrom<Post>(...posts), look }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ step: "fiscal id", taxId: "RO1" }, { step: "fiscal id", taxId: "RO2" }),
  },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ step: "check" }, { step: "check" }, { step: "put off" }) },
  { weight: 4, arbitrary: fc.constantFrom<Step>({ step: "link" }, { step: "not an order" }, { step: "not an order" }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ step: "backup" }, { step: "none elsewhere" }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ step: "lose" }, { step: "copy" }) },
);

/**
 * An order of which nobody hears, whatever has the invoice given up, and what people may do to it then: single steps
 * seldom come in this order, and the warehouse has what is changed here.
 */
const unheard: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.record({
      step: fc.constant("attempt" as const),
      post: fc.constantFrom<Post>("executed", "executed later"),
      look,
    }),
    fc.constantFrom<Step[]>(
      [],
      [{ step: "settle" }],
      [{ step: "connect", subdomain: "away" }, { step: "settle" }],
      [{ step: "workspace", subdomain: "away" }, { step: "own", subdomain: null }, { step: "settle" }],
      [{ step: "never" }, { step: "settle" }, { step: "own", subdomain: "home" }],
    ),
    fc.record({
      step: fc.constant("attempt" as const),
      post,
      look: fc.constantFrom<Look>("all", "lagging", "credentials"),
    }),
    fc.constantFrom<Step[]>([], [{ step: "edit", total: "2.00" }], [{ step: "undo" }], [{ step: "again" }]),
  )
  .map((passage) => passage.flat());

/** An order that the database loses, and what people may do before it is sent again. */
const span = fc.constantFrom<Step[]>(
  [],
  [{ step: "connect", subdomain: "away" }],
  [
    { step: "workspace", subdomain: "away" },
    { step: "own", subdomain: null },
  ],
  [{ step: "fiscal id", taxId: "RO2" }],
  [{ step: "edit", total: "2.00" }],
  [{ step: "again" }],
);
const meanwhile = fc.constantFrom<Step[]>(
  [],
  [{ step: "edit", total: "3.00" }],
  [{ step: "undo" }],
  [{ step: "again" }],
  [{ step: "connect", subdomain: "home" }],
  [
    { step: "workspace", subdomain: "home" },
    { step: "own", subdomain: null },
  ],
  [{ step: "backup" }, { step: "copy" }],
);
const lost: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.constant<Step[]>([{ step: "backup" }]),
    span,
    fc.constant<Step[]>([{ step: "queue" }, { step: "attempt", post: "created", look: "all" }]),
    fc.constantFrom<Step[]>([{ step: "lose" }], [{ step: "copy" }]),
    meanwhile,
    fc.constant<Step[]>([{ step: "settle" }, { step: "import" }, { step: "queue" }]),
    fc.record({
      step: fc.constant("attempt" as const),
      post: fc.constant<Post>("created"),
      look: fc.constantFrom<Look>("all", "credentials"),
    }),
    meanwhile,
  )
  .map((parts) => parts.flat());
const passage = fc.oneof(
  { weight: 9, arbitrary: step.map((one) => [one]) },
  { weight: 2, arbitrary: unheard },
  { weight: 1, arbitrary: lost },
);
const steps = fc
  .tuple(
    fc.constantFrom<Step[]>([], [], [], [], [{ step: "elsewhere" }]),
    fc.array(passage, { maxLength: 14, size: "max" }),
  )
  .map((passages) => passages.flat(2));

/** What people may do to an invoice that the warehouse has, and that was given up before Liaison knew. */
const GIVEN_UP: Step[] = [
  { step: "attempt", post: "executed", look: "all" },
  { step: "attempt", post: "created", look: "credentials" },
];
const MOVED_AND_BACK: Step[] = [
  { step: "attempt", post: "executed", look: "all" },
  { step: "connect", subdomain: "away" },
  { step: "attempt", post: "created", look: "all" },
  { step: "again" },
  { step: "connect", subdomain: "home" },
  { step: "attempt", post: "created", look: "all" },
];
const USED_ELSEWHERE: Step[] = [{ step: "elsewhere" }, { step: "attempt", post: "created", look: "all" }];

/** A worker that stalls at its look-up after the clock was set back, while another gives the invoice up. */
const STALLS_IN_THE_PAST: Step[] = [
  { step: "attempt", post: "stalls before", look: "all" },
  { step: "attempt", post: "created", look: "all" },
  { step: "clock" },
  { step: "attempt", post: "created", look: "stalls" },
  { step: "attempt", post: "created", look: "credentials" },
  { step: "wake" },
];

/** A worker that stalls at its look-up, and again at the call that it makes for want of an order. */
const STALLS_TWICE: Step[] = [
  { step: "attempt", post: "lost", look: "all" },
  { step: "settle" },
  { step: "attempt", post: "stalls before", look: "stalls" },
  { step: "wake" },
];

/** A worker that heard of the order stalls while another finds it; then the order is lost, and sent again. */
const HEARD_OF_BEFORE: Step[] = [
  { step: "attempt", post: "stalls after", look: "all" },
  { step: "attempt", post: "created", look: "all" },
  { step: "attempt", post: "created", look: "all" },
  { step: "gone", isMistaken: false },
  { step: "send again" },
  { step: "wake" },
];
const SENT: Step[] = [{ step: "attempt", post: "created", look: "all" }];
const MISTAKEN: Step[] = [...SENT, { step: "gone", isMistaken: true }, { step: "send again" }];

/** A lost order: its company was connected elsewhere, or its fiscal id was corrected; or a copy of a copy sends it. */
const LOST: Step[] = [{ step: "backup" }, ...SENT, { step: "lose" }, { step: "settle" }];
const LOST_AT_AWAY: Step[] = [{ step: "backup" }, { step: "connect", subdomain: "away" }, ...SENT, { step: "lose" }];
const LOST_CORRECTION: Step[] = [{ step: "backup" }, { step: "fiscal id", taxId: "RO2" }, ...SENT, { step: "lose" }];
const COPY_OF_COPY: Step[] = [
  { step: "backup" },
  ...SENT,
  { step: "copy" },
  { step: "backup" },
  { step: "copy" },
  { step: "settle" },
  { step: "queue" },
  ...SENT,
];

/** A link takes the place of what an attempt may have made; a person says that it is none, and the invoice is sent. */
const RENOUNCED: Step[] = [{ step: "link" }, { step: "not an order" }, { step: "queue" }];
const UNHEARD: Step[] = [{ step: "attempt", post: "executed", look: "all" }];
const STALLS: Step[] = [{ step: "attempt", post: "stalls after", look: "all" }];
const LATE: Step[] = [{ step: "attempt", post: "executed later", look: "all" }];

/** What an attempt may have made stays with the connection that it was made by, whichever holds afterwards. */
const TO_THE_WORKSPACES: Step[] = [
  { step: "workspace", subdomain: "away" },
  { step: "own", subdomain: null },
];
const LOST_AT_THE_WORKSPACES: Step[] = [
  { step: "own", subdomain: null },
  { step: "workspace", subdomain: "home" },
  { step: "backup" },
  { step: "workspace", subdomain: "away" },
  ...SENT,
  { step: "lose" },
  { step: "settle" },
];

const EXAMPLES: Step[][] = [
  [...UNHEARD, ...TO_THE_WORKSPACES, ...SENT, { step: "settle" }, ...SENT],
  [...STALLS, ...TO_THE_WORKSPACES, { step: "queue" }, ...SENT, { step: "wake" }],
  [
    ...STALLS,
    ...TO_THE_WORKSPACES,
    { step: "workspace", subdomain: "home" },
    { step: "queue" },
    ...SENT,
    { step: "wake" },
  ],
  [...UNHEARD, { step: "never" }, ...SENT, { step: "edit", total: "2.00" }, { step: "own", subdomain: null }],
  [...TO_THE_WORKSPACES, ...UNHEARD, { step: "workspace", subdomain: null }, ...SENT, { step: "again" }],
  [
    ...TO_THE_WORKSPACES,
    { step: "attempt", post: "credentials", look: "all" },
    { step: "workspace", subdomain: "away" },
    ...SENT,
  ],
  [...LOST_AT_THE_WORKSPACES, { step: "queue" }, ...SENT],
  [...LOST_AT_THE_WORKSPACES, { step: "own", subdomain: "home" }, { step: "again" }, ...SENT],
  [
    ...LOST_AT_THE_WORKSPACES,
    { step: "workspace", subdomain: null },
    { step: "own", subdomain: "home" },
    { step: "again" },
    ...SENT,
  ],
  [...SENT, ...RENOUNCED, ...SENT],
  [...UNHEARD, ...RENOUNCED, { step: "settle" }, ...SENT],
  [...STALLS, ...RENOUNCED, ...SENT, { step: "wake" }],
  [...LATE, ...RENOUNCED, ...SENT, { step: "settle" }, ...SENT],
  [...SENT, ...RENOUNCED, { step: "edit", total: "2.00" }, { step: "again" }, ...SENT],
  [...UNHEARD, { step: "check" }, ...SENT],
  [...LATE, { step: "check" }, ...SENT, { step: "check" }, { step: "settle" }, ...SENT],
  [
    ...SENT,
    { step: "gone", isMistaken: true },
    { step: "put off" },
    { step: "check" },
    { step: "send again" },
    ...SENT,
  ],
  [...LOST, { step: "edit", total: "2.00" }],
  [{ step: "backup" }, ...SENT, { step: "copy" }, { step: "settle" }, { step: "edit", total: "2.00" }],
  [...LOST, { step: "again" }, ...SENT],
  [...LOST_AT_AWAY, { step: "settle" }, { step: "queue" }, ...SENT],
  [...LOST_AT_AWAY, { step: "settle" }, { step: "again" }, ...SENT],
  [...LOST_CORRECTION, { step: "settle" }, { step: "queue" }, ...SENT, { step: "again" }, ...SENT],
  COPY_OF_COPY,
  HEARD_OF_BEFORE,
  [...MISTAKEN, { step: "attempt", post: "created", look: "lagging" }],
  [...MISTAKEN, { step: "edit", total: "2.00" }, { step: "undo" }],
  [...SENT, { step: "gone", isMistaken: false }, { step: "right so" }, { step: "send again" }, { step: "send again" }],
  [...SENT, { step: "cancelled" }, { step: "send again" }, { step: "connect", subdomain: "away" }, ...SENT],
  STALLS_TWICE,
  STALLS_IN_THE_PAST,
  [...GIVEN_UP, { step: "edit", total: "2.00" }],
  [...GIVEN_UP, { step: "undo" }],
  MOVED_AND_BACK,
  USED_ELSEWHERE,
];

/**
 * What is known of the warehouse `away`: the company was connected with it before, another company of the workspace has
 * a key for it, or the workspace has. Of `shared` the company was connected with it before, by the workspace's
 * connection, which is the one that it uses.
 */
type Away = "former" | "neighbour" | "workspaces" | "shared";
const aways: Away[] = ["former", "neighbour", "workspaces", "shared"];
const away = fc.constantFrom(...aways);
const examples = EXAMPLES.flatMap((one) => aways.map((known): [Away, Step[]] => [known, one]));

test("in whatever order things happen, an invoice becomes one order at most, and in the end one", async () => {
  await fc.assert(
    fc.asyncProperty(away, steps, async (known, taken) => {
      const scene = await setScene(known);
      for (const each of [{ step: "queue" } as const, ...taken]) {
        await take(scene, each);
        await check(scene);
      }
      await untilSent(scene);
    }),
    { numRuns: runs(25), examples },
  );
});

/** One invoice, and the attempts at it that stall. */
type Scene = {
  tenant: Stand;
  company: string;
  number: string;
  imported: string;
  /** The ids of the company's addresses for deliveries. */
  addresses: number[];
  warehouse: ScriptedWarehouse;
  /** Whether the company uses the workspace's connection. */
  isShared: boolean;
  stalling: Promise<unknown>[];
  backup: string | null;
  /** The fiscal ids that people have given the company since its backup. */
  corrections: string[];
  /** The invoice as the backup had it when the database went back to that; null where it did not, or had none. */
  asLost: unknown;
  /** The slug of the backup's tenant. */
  backupSlug: string;
};

/** The tenant of a scene: another one after a loss, and as a copy. */
type Stand = {
  id: TenantId;
  slug: string;
  member: Visitor;
  send: (method: string, path: string, body?: object) => Promise<Answer>;
};

async function setScene(known: Away): Promise<Scene> {
  await queue.empty();
  const { id, slug } = await server.createTenant();
  const tenant = await standIn({ id, slug });
  const { body } = await tenant.send("POST", "/api/v1/companies", { name: "Dacia Tools", tax_id: "RO1" });
  const scene: Scene = {
    tenant,
    company: String(body.data.id),
    number: `INV-${++numbers}`,
    imported: "",
    addresses: [],
    warehouse: createScriptedWarehouse(),
    stalling: [],
    isShared: known === "shared",
    backup: null,
    corrections: [],
    asLost: null,
    backupSlug: "",
  };
  if (known === "former" || known === "shared") await connect(scene, "away");
  else if (known === "workspaces") await connectWorkspace(scene, "away");
  else {
    const neighbour = await tenant.send("POST", "/api/v1/companies", { name: "Neighbour", tax_id: "RO9" });
    await connectOwn({ tenant, company: String(neighbour.body.data.id) }, "away");
  }
  await connect(scene, "home");
  for (const address of ["Strada Lungă 1", "Strada Turnului 22"]) {
    const place = { type: "delivery", address, city: "Brașov" };
    scene.addresses.push(
      (await tenant.send("POST", `/api/v1/companies/${scene.company}/addresses`, place)).body.data.id,
    );
  }
  await bringIn(scene);
  return scene;
}

async function standIn({ id, slug }: { id: TenantId; slug: string }): Promise<Stand> {
  const capabilities = ["companies:write", "addresses:write", "invoices:write", "wms-orders:write"] as const;
  const key = { name: "model", capabilities: [...capabilities], ...unlimited };
  const { token } = await createApiKey(id, database, slug, key);
  const member = await signedIn(server, { id, slug });
  return {
    id,
    slug,
    member,
    send: async (method, at, body) => await request(server.url, method, at, body, { token }),
  };
}

async function backUp(scene: Scene): Promise<void> {
  const { id, slug } = scene.tenant;
  const tenant = await findTenant(database, slug);
  if (tenant === null) throw new Error(`there is no tenant ${slug}`);
  scene.backup = path.join(folder, `${id}-${++numbers}.tenant`);
  scene.backupSlug = slug;
  // As of one that is not to go on, so that its queue does where it is restored under its own slug.
  const options = { file: scene.backup, passphrase: null, signal: new AbortController().signal };
  await takeTenantBackup(opened, { ...tenant, suspendedAt: tenant.suspendedAt ?? new Date().toISOString() }, options);
  scene.corrections = [];
}

/** The tenant stands as its backup has it, under its own slug in place of the lost one, or under another one. */
async function goBack(scene: Scene, as: string | null): Promise<void> {
  const { backup: file, tenant } = scene;
  if (file === null) return;
  await queue.empty(tenant);
  // Of a copy, the tenant that it was made of may still be there.
  if (as === null)
    await server.sql("update tenants set slug = $2 where slug = $1", [scene.backupSlug, `lost-${++numbers}`]);
  const callingKinds = Object.entries(jobKinds).flatMap(([name, kind]) => (kind.calls ? [name] : []));
  const options = { file, passphrase: null, signal: new AbortController().signal, as, callingKinds };
  const { slug } = await restoreTenant(opened, options);
  const restored = await findTenant(database, slug);
  if (restored === null) throw new Error(`there is no tenant ${slug}`);
  if (as === null) await lookUpOrders(database);
  // The loss was a day after all this, so that it may settle.
  for (const [table, ...columns] of [
    ["invoices", "created_at", "wms_absent_at"],
    ["companies", "wms_former_checked_at"],
  ] as const) {
    const set = columns.map((column) => `${column} = ${column} - interval '1 day'`).join(", ");
    await server.sql(`update ${table} set ${set} where tenant_id = $1`, [restored.id]);
  }
  await server.sql(
    "update jobs set lease_until = now() - interval '1 second' where tenant_id = $1 and state = 'running'",
    [restored.id],
  );
  scene.tenant = await standIn(restored);
  scene.asLost = await standing(scene);
  scene.warehouse.epoch++;
}

/** The invoice as far as the warehouse is to have it so. */
async function standing({ tenant, number }: Scene): Promise<unknown> {
  const [row] = await server.sql(
    "select array[id::text, number, total::text] as stands from invoices where tenant_id = $1 and number = $2",
    [tenant.id, number],
  );
  return row?.stands ?? null;
}

/** Imports the invoice by the pages. What was lost of its company's fiscal ids is put right before. */
async function bringIn(scene: Scene): Promise<void> {
  const { company, tenant } = scene;
  for (const taxId of scene.corrections) await correct(scene, taxId);
  const csv = `company_id,number,total\n${company},${scene.number},1.00\n`;
  const { location } = await tenant.member.upload("/imports", { kind: "invoices" }, { "file.csv": csv });
  await runImports();
  await tenant.member.post(`${location}/start`);
  await runImports();
  scene.imported = String(location);
}

async function runImports(): Promise<void> {
  for (;;) {
    const claims = await queue.claim({ limits: { [IMPORT_JOB]: 1 } });
    if (claims.length === 0) return;
    for (const claimed of claims)
      await attemptJob(
        server.deps,
        jobKinds,
        jobOf(claimed, () => Infinity),
      );
  }
}

async function correct({ tenant, company }: Scene, taxId: string): Promise<void> {
  await tenant.send("PUT", `/api/v1/companies/${company}`, { tax_id: taxId });
}

/** The invoice of the scene; null where an undo has removed it. */
async function idOf({ tenant, number }: Scene): Promise<string | null> {
  const [row] = await server.sql("select id::text from invoices where tenant_id = $1 and number = $2", [
    tenant.id,
    number,
  ]);
  return row === undefined ? null : String(row.id);
}

function jobOf(claimed: Claimed, leasedUntil: () => number): Job {
  const signal = new AbortController().signal;
  return {
    ...claimed,
    signal,
    stop: signal,
    leasedUntil,
    hold: holding.bind(null, claimed),
    finish: finishing.bind(null, claimed),
  };
}

async function take(scene: Scene, each: Step): Promise<void> {
  const { warehouse, tenant } = scene;
  const { member } = tenant;
  const id = await idOf(scene);
  switch (each.step) {
    case "attempt":
      Object.assign(warehouse.script, { post: each.post, look: each.look });
      return await attempt(scene);
    case "wake":
      return await wake(scene);
    case "settle":
      warehouse.settle();
      await server.sql("update invoices set wms_open_since = wms_open_since - $2 * interval '1 second' where id = $1", [
        id,
        config.wms.settleSeconds,
      ]);
      await server.sql("update tenants set orders_lost_at = orders_lost_at - $2 * interval '1 second' where id = $1", [
        tenant.id,
        config.wms.settleSeconds,
      ]);
      return;
    case "queue":
      await tenant.send("POST", `/api/v1/invoices/${id}/wms-order`);
      return;
    case "connect":
      return await connect(scene, each.subdomain);
    case "own":
      return await connectOwn(scene, each.subdomain);
    case "workspace":
      return await connectWorkspace(scene, each.subdomain);
    case "never":
      return await leave(scene, true);
    case "change":
      await tenant.send("PUT", `/api/v1/invoices/${id}`, { status: each.status });
      return;
    case "edit":
      await tenant.send("PUT", `/api/v1/invoices/${id}`, { total: each.total });
      return;
    case "address":
      await tenant.send("PUT", `/api/v1/invoices/${id}`, {
        delivery_address_id: each.at === null ? null : scene.addresses[each.at],
      });
      return;
    case "moved":
      if (each.street === null) await tenant.send("DELETE", `/api/v1/addresses/${scene.addresses[each.at]}`);
      else await tenant.send("PUT", `/api/v1/addresses/${scene.addresses[each.at]}`, { address: each.street });
      return;
    case "terms":
      await tenant.send("PUT", `/api/v1/companies/${scene.company}`, { terms: { payment_days: each.days } });
      return;
    case "fiscal id":
      scene.corrections.push(each.taxId);
      return await correct(scene, each.taxId);
    case "backup":
      return await backUp(scene);
    case "lose":
      return await goBack(scene, null);
    case "copy":
      return await goBack(scene, `copy-${++numbers}`);
    case "none elsewhere":
      // A person who finds one there connects the company with that warehouse.
      if (warehouse.made.length === 0 && warehouse.isSettled()) await member.post(`/invoices/${id}/none-elsewhere`);
      return;
    case "undo":
      await member.post(`${scene.imported}/undo`);
      return await runImports();
    case "import":
      return await bringIn(scene);
    case "again":
      for (const next of ["undo", "import", "queue"] as const) await take(scene, { step: next });
      return;
    case "gone":
    case "cancelled":
      return await hear(scene, each);
    case "send again":
      await member.post(`/invoices/${id}/send-again`);
      return;
    case "right so":
      await member.post(`/invoices/${id}/settle`);
      return;
    case "take back":
      await member.post(`/invoices/${id}/unsettle`);
      return;
    case "cancel there":
      Object.assign(warehouse.script, { post: each.post, look: each.look });
      await tenant.send("PUT", `/api/v1/invoices/${id}`, { status: "cancelled" });
      return await cancelThere(scene, id);
    case "check":
      return await checkNow(scene, id);
    case "put off":
      await member.post(`/invoices/${id}/put-off`, { days: "3" });
      return;
    case "link":
      // As a file leaves it (src/exchange/imports/writing/).
      await server.sql(
        "update invoices set wms_order_id = $2, wms_instance = null, wms_order_number = null, wms_status = null where id = $1",
        [id, OF_NOWHERE],
      );
      return;
    case "not an order":
      await member.post(`/invoices/${id}/not-an-order`);
      return;
    case "clock":
      await server.sql("update invoices set wms_open_since = wms_open_since + interval '1 day' where id = $1", [id]);
      return;
    default:
      if (id === null) return;
      warehouse.useElsewhere("home", { externalSource: `${config.wms.source}/${tenant.slug}`, externalOrderId: id });
  }
}

/** The worker that follows the invoice's order asks for it, where there is one. */
async function hear(
  { tenant, number, warehouse }: Scene,
  news: { step: "gone"; isMistaken: boolean } | { step: "cancelled" },
) {
  const [row] = await server.sql(
    `select id::text, wms_order_id::int as "orderId", wms_instance as instance from invoices
    where tenant_id = $1 and number = $2 and wms_order_id is not null`,
    [tenant.id, number],
  );
  if (row === undefined) return;
  const orderId = Number(row.orderId);
  if (news.step === "gone" && !news.isMistaken) warehouse.lose(orderId);
  const order = warehouse.made.find((one) => one.order.orderId === orderId)?.order ?? null;
  if (order !== null && news.step === "cancelled") order.status = "cancelled";
  const told = news.step === "gone" ? null : order;
  await database.write(tenant.id, [
    recordNews(String(row.instance), [{ invoiceId: String(row.id), orderId, order: told }], rules(server.deps)),
  ]);
}

/** A person has the warehouse asked; the worker that follows the company's orders does. */
async function checkNow({ tenant, warehouse }: Scene, id: string | null): Promise<void> {
  if (id === null) return;
  // A minute has passed.
  await server.sql("update invoices set wms_checked_at = null where id = $1", [id]);
  const deps = { ...server.deps, warehouse: warehouse.client };
  await checkOrder(deps, tenant.id, id);
  await server.sql("update lanes set failures = 0, closed_until = null");
  for (const claimed of await queue.claim({ limits: { [FOLLOW_KIND]: 1 } })) {
    await attemptJob(
      deps,
      jobKinds,
      jobOf(claimed, () => Infinity),
    );
  }
}

/** The job runs once: if it postpones its call, a later step runs it again. */
async function cancelThere({ tenant, warehouse }: Scene, id: string | null): Promise<void> {
  if (id === null) return;
  const [row] = await server.sql("select split_part(wms_instance, '.', 1) as subdomain from invoices where id = $1", [
    id,
  ]);
  const subdomain = (row?.subdomain ?? null) as string | null;
  if (subdomain !== null) await queueCancellation(tenant.id, database, id, { subdomain, by });
  await queue.hasten(tenant, id, CANCEL_ORDER_JOB);
  await server.sql("update lanes set failures = 0, closed_until = null");
  const deps = { ...server.deps, warehouse: warehouse.client };
  for (const claimed of await queue.claim({ limits: { [CANCEL_ORDER_JOB]: 1 } })) {
    await attemptJob(
      deps,
      jobKinds,
      jobOf(claimed, () => Infinity),
    );
  }
}

async function attempt(scene: Scene): Promise<void> {
  const { tenant, warehouse, stalling } = scene;
  const id = await idOf(scene);
  if (id === null) return;
  await queue.hasten(tenant, id, KIND);
  // Circuits are the queue's own; test/kit/jobs/ has them.
  await server.sql("update lanes set failures = 0, closed_until = null");
  for (const claimed of await queue.claim({ limits: { [KIND]: 1 } })) {
    let isHeld = true;
    const deps = { ...server.deps, warehouse: warehouse.client };
    const running = attemptJob(
      deps,
      jobKinds,
      jobOf(claimed, () => (isHeld ? Infinity : 0)),
    );
    const hasStalled = await Promise.race([running.then(() => false), warehouse.stalled().then(() => true)]);
    if (!hasStalled) continue;
    isHeld = false;
    await queue.expire(claimed);
    stalling.push(running);
  }
}

/** Has the attempts that stall go on to their end: after a look-up comes another call, which may stall as well. */
async function wake({ warehouse, stalling }: Scene): Promise<void> {
  const ended = Promise.all(stalling.splice(0)).then(() => true);
  let haveEnded = false;
  while (!haveEnded) {
    const again = warehouse.stalled().then(() => false);
    warehouse.wake();
    haveEnded = await Promise.race([ended, again]);
  }
}

/** Saves or ends the connection that the scene's company uses. */
async function connect(scene: Scene, subdomain: string | null): Promise<void> {
  if (!scene.isShared) return await connectOwn(scene, subdomain);
  await connectWorkspace(scene, subdomain);
  await leave(scene, false);
}

const by = "system";
const instanceOf = (subdomain: string) => `${subdomain}.example`;

async function connectOwn(at: Pick<Scene, "tenant" | "company">, subdomain: string | null): Promise<void> {
  const { tenant, company } = at;
  if (subdomain === null) return await leave(at, false);
  const key = keyring.encrypt(tenant.id, "companies.wms_api_key", "key-of-warehouse");
  const connection = { subdomain, instance: instanceOf(subdomain), key, sendsAutomatically: false, by };
  await saveConnection(tenant.id, database, company, connection);
}

async function leave({ tenant, company }: Pick<Scene, "tenant" | "company">, isNever: boolean): Promise<void> {
  await leaveConnection(tenant.id, database, company, { isNever, by, instanceOf });
}

async function connectWorkspace({ tenant }: Pick<Scene, "tenant">, subdomain: string | null): Promise<void> {
  if (subdomain === null) return await removeWorkspaceConnection(tenant.id, database, by);
  const present = (await findWorkspaceConnection(tenant.id, database))?.subdomain ?? null;
  const key = keyring.encrypt(tenant.id, "workspace_warehouses.wms_api_key", "key-of-warehouse");
  const connection = { subdomain, instance: instanceOf(subdomain), key, sendsAutomatically: false, by };
  await saveWorkspaceConnection(tenant.id, database, connection, present);
}

/** The invoice's state, and where its last attempt was made; null where none was. */
async function check(scene: Scene): Promise<{ state: unknown; open: string | null; error: string | null }> {
  const { tenant, number, warehouse, asLost } = scene;
  assert.ok(warehouse.made.length <= 1, `there are ${warehouse.made.length} orders`);
  const [invoice] = await server.sql(
    `select wms_state as state, array[wms_instance, wms_order_id::text] as link, split_part(wms_open_instance, '.', 1) as open,
      wms_error as error, status, wms_shown as shown, wms_cancel as cancel, delivered_to as delivered, array[id::text, number, total::text] as stands
    from invoices where tenant_id = $1 and number = $2`,
    [tenant.id, number],
  );
  const [one] = warehouse.made;
  // The link may be with an order that the warehouse has lost.
  const linked = [...warehouse.made, ...warehouse.lost].find(({ order }) => String(order.orderId) === orderOf(invoice));
  if (one?.epoch === warehouse.epoch) {
    const { externalOrderId, invoiceReference, total } = one.order;
    assert.deepEqual(
      invoice?.stands,
      [externalOrderId, invoiceReference, total],
      "the invoice is as the warehouse has it",
    );
    const { delivered } = invoice as { delivered: string | null };
    const to = delivered === null ? null : keyring.reveal(tenant.id, "invoices.delivered_to", delivered);
    assert.equal((JSON.parse(to ?? "{}") as { address?: string }).address, one.street, "its goods go where it says");
  }
  if (one !== undefined && one.epoch < warehouse.epoch && asLost !== null)
    assert.deepEqual(invoice?.stands, asLost, "the invoice is as the backup had it");
  if (invoice === undefined) return { state: null, open: null, error: null };
  const isSent = invoice.state === "sent";
  const hidden = invoice.status === "cancelled" && /^(?:open|final):/.test(String(invoice.shown));
  assert.ok(!hidden, "the order of a cancelled invoice does not go on unseen");
  assert.ok(invoice.cancel === null || invoice.shown === "cancelled_here", "a cancellation ends with its reason");
  const isOfNowhere = orderOf(invoice) === String(OF_NOWHERE);
  const instance = isOfNowhere ? null : `${linked?.subdomain}.example`;
  assert.deepEqual(invoice.link, isSent ? [instance, orderOf(invoice)] : [null, null]);
  return { state: invoice.state, open: invoice.open as string | null, error: invoice.error as string | null };
}

function orderOf(invoice: Record<string, unknown> | undefined): string | undefined {
  return (invoice?.link as (string | null)[] | undefined)?.[1] ?? undefined;
}

/** However it stands, an invoice is sent once all works and a person follows what its page says. */
async function untilSent(scene: Scene): Promise<void> {
  const { warehouse } = scene;
  await take(scene, { step: "settle" });
  warehouse.tidy();
  if ((await idOf(scene)) === null) await bringIn(scene);
  const { open } = await check(scene);
  const [made] = warehouse.made;
  await take(scene, { step: "connect", subdomain: made?.subdomain ?? open ?? "home" });
  if (made !== undefined) await correct(scene, String(made.order.clientCui));
  await take(scene, { step: "change", status: "issued" });
  for (let round = 0; round < 8; round++) {
    await take(scene, { step: "queue" });
    await take(scene, { step: "attempt", post: "created", look: "all" });
    await take(scene, { step: "settle" });
    const { state, error } = await check(scene);
    if (state === "sent") return;
    await follow(scene, error === null ? null : sendReasonOf(error));
  }
  assert.fail("the invoice is never sent");
}

/** Does what the reason asks a person to do. */
async function follow(scene: Scene, reason: SendReason | null): Promise<void> {
  const subdomainOf = (instance: string) => instance.replace(".example", "");
  if (reason?.code === "movedAway") await take(scene, { step: "connect", subdomain: subdomainOf(reason.instance) });
  if (reason?.code !== "lostElsewhere") return;
  const [made] = scene.warehouse.made;
  if (made === undefined) return await take(scene, { step: "none elsewhere" });
  assert.ok(reason.instances.map(subdomainOf).includes(made.subdomain), "the reason names the warehouse of the order");
  await take(scene, { step: "connect", subdomain: made.subdomain });
}
