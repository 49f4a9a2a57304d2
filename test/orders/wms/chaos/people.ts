import { setTimeout as pause } from "node:timers/promises";
import type { Form } from "../../../doors/pages/visitor.ts";
import { request } from "../../../harness.ts";
import { poll } from "../../../program.ts";
import { fileOf, liveSenders, mergesOf } from "./merges.ts";
import { questionsOf } from "./questions.ts";
import { browserOf, type Person, type Sender, type Stage, type Steps } from "./stage.ts";

/**
 * What people do to invoices while they are sent: edit, import, undo, import again, connect elsewhere, leave a company
 * to the workspace's connection, connect the workspace elsewhere, remove a connection, send no more, ask again, choose
 * or change an address, agree on other terms, merge companies and undo it;
 * and send again, or say that it is right so, where a warehouse loses or cancels an order (questions.ts).
 */
const PAUSE_MS = 100;
const PATIENCE_SECONDS = 120;
const KEY = "key-of-warehouse";

/**
 * Each has a file of invoices of his own, and does one thing after the other until the end. Returns how often each.
 */
export async function meddle(stage: Stage, stop: AbortSignal): Promise<Record<string, number>> {
  const done: Record<string, number> = {};
  await Promise.all(
    // Imports take a while, and so does a loss until it is heard of: what else a person does goes on beside them.
    stage.people
      .flatMap((person) => [
        stepsOf(stage, person),
        importsOf(stage, person, stop),
        questionsOf(stage, person, stop),
        mergesOf(stage, person),
      ])
      .map(async (kinds) => {
        const steps = Object.entries(kinds);
        while (!stop.aborted) {
          const [name, step] = steps[Math.floor(Math.random() * steps.length)] ?? [];
          if (name === undefined || step === undefined) return;
          // A server that is killed answers nobody.
          if (await step().catch(() => false)) done[name] = (done[name] ?? 0) + 1;
          await pause(PAUSE_MS);
        }
      }),
  );
  return done;
}

function importsOf(stage: Stage, person: Person, stop: AbortSignal): Steps {
  return {
    imported: async () => await bringIn(stage, person, stop),
    undone: async () => await takeBack(stage, person, stop),
  };
}

function stepsOf(stage: Stage, person: Person): Steps {
  const { token, senders } = person;
  const write = async (method: string, path: string, body: object | undefined) => {
    const { url } = await stage.server.current();
    return (await request(url, method, path, body, { token })).status < 300;
  };
  const call = async (method: string, path: (id: string) => string, body: object | undefined, where: string) => {
    const [row] = await stage.sql(
      `select id::text from invoices where tenant_id = $1 and ${where} order by random() limit 1`,
      [person.tenantId],
    );
    return row !== undefined && (await write(method, path(String(row.id)), body));
  };
  const any = () => senders[Math.floor(Math.random() * senders.length)] as Sender;
  const anyInstance = () => stage.instances[Math.floor(Math.random() * stage.instances.length)] ?? "";
  const at = (id: string) => `/api/v1/invoices/${id}`;
  const edit = async (where: string) =>
    await call("PUT", at, { total: `${1 + Math.floor(Math.random() * 9)}.00` }, where);
  return {
    edited: async () => await edit("wms_state in ('not_sent', 'failed')"),
    "edited on its way": async () => await edit("wms_state in ('queued', 'sending', 'unknown')"),
    "other address": async () => {
      const [row] = await stage.sql(
        `select i.id::text, a.id::int as address from invoices i
        join addresses a on a.tenant_id = i.tenant_id and a.company_id = i.company_id and a.deleted_at is null
        where i.tenant_id = $1 and i.wms_state <> 'sent' order by random() limit 1`,
        [person.tenantId],
      );
      return row !== undefined && (await write("PUT", at(String(row.id)), { delivery_address_id: row.address }));
    },
    "address changed": async () => {
      const address = `Strada ${Math.floor(Math.random() * 1_000)}`;
      const [row] = await stage.sql("select id::text from addresses where tenant_id = $1 order by random() limit 1", [
        person.tenantId,
      ]);
      return row !== undefined && (await write("PUT", `/api/v1/addresses/${String(row.id)}`, { address }));
    },
    "other terms": async () =>
      await write("PUT", `/api/v1/companies/${any().id}`, { terms: { payment_days: Math.floor(Math.random() * 60) } }),
    queued: async () =>
      await call("POST", (id) => `${at(id)}/wms-order`, undefined, "wms_state in ('failed', 'not_sent')"),
    connected: async () => await connect(stage, person, any(), anyInstance()),
    "connected again": async () => {
      const sender = any();
      return await connect(stage, person, sender, sender.instance);
    },
    "left to the workspace's": async () => await leave(stage, person, any(), "workspace"),
    "never sent": async () => await leave(stage, person, any(), "never"),
    "workspace connected": async () => await connectWorkspace(stage, person, anyInstance()),
    "workspace connected again": async () => await connectWorkspace(stage, person, person.shared.instance),
    "workspace disconnected": async () => await submit(stage, person, "/workspace/warehouses/remove", {}),
  };
}

/** Imports again what an undo has removed. */
export async function bringBack(stage: Stage): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_SECONDS * 1000);
  for (const person of stage.people) {
    await insist("the import", async () => await bringIn(stage, person, patience));
  }
}

/**
 * Connects companies with the warehouses where attempts of theirs are open, as the invoices' errors ask for; the others
 * as they were.
 */
export async function connectWhereOpen(stage: Stage): Promise<void> {
  const rows = await stage.sql(
    `select company_id::int as company, min(split_part(wms_open_instance, '.', 1)) as instance from invoices
    where wms_state = 'failed' and wms_open_since is not null group by company_id`,
  );
  const open = new Map(rows.map(({ company, instance }) => [Number(company), String(instance)]));
  for (const person of stage.people) {
    await insist(
      "the workspace's connection",
      async () => await connectWorkspace(stage, person, person.shared.instance),
    );
    for (const sender of await liveSenders(stage, person)) {
      const instance = open.get(sender.id) ?? sender.instance;
      const isShared = sender.isShared && instance === person.shared.instance;
      await insist("the connection", async () =>
        isShared ? await leave(stage, person, sender, "workspace") : await connect(stage, person, sender, instance),
      );
    }
  }
}

async function insist(what: string, step: () => Promise<boolean>): Promise<void> {
  await poll(what, async () => await step().catch(() => false), PATIENCE_SECONDS);
}

async function connect(stage: Stage, person: Person, sender: Sender, instance: string): Promise<boolean> {
  const automatic: Form = sender.sendsAutomatically ? { send_automatically: "1" } : {};
  return await submit(stage, person, `/companies/${sender.id}/warehouse`, {
    wms_subdomain: instance,
    wms_api_key: KEY,
    ...automatic,
  });
}

async function leave(stage: Stage, person: Person, { id }: Sender, to: "workspace" | "never"): Promise<boolean> {
  return await submit(stage, person, `/companies/${id}/warehouse/remove`, { to });
}

/** Connects the workspace; replaces its key if it is with this instance already. False if it is not there then. */
async function connectWorkspace(stage: Stage, person: Person, instance: string): Promise<boolean> {
  const read = async (): Promise<string> => {
    const [row] = await stage.sql(
      "select coalesce(wms_subdomain, '') as at from workspace_warehouses where tenant_id = $1",
      [person.tenantId],
    );
    return String(row?.at);
  };
  const present = await read();
  const automatic: Form = person.shared.sendsAutomatically ? { send_automatically: "1" } : {};
  const form = { wms_subdomain: instance, wms_api_key: KEY, ...automatic };
  const isSubmitted =
    present === "" || present === instance
      ? await submit(stage, person, "/workspace/warehouses", form)
      : await submit(stage, person, "/workspace/warehouses/replace", { ...form, replaced: present });
  return isSubmitted && (await read()) === instance;
}

async function submit(stage: Stage, person: Person, path: string, form: Form): Promise<boolean> {
  return (await (await browserOf(stage, person)).post(path, form)).status === 303;
}

/** Imports the person's file, whatever is there of it. */
async function bringIn(stage: Stage, person: Person, stop: AbortSignal): Promise<boolean> {
  const { location } = await (
    await browserOf(stage, person)
  ).upload("/imports", { kind: "invoices" }, { "file.csv": await fileOf(stage, person) });
  const path = String(location);
  await untilIs(stage, person, path, "checked", stop);
  await insist("the import's start", async () => await submit(stage, person, `${path}/start`, {}));
  await untilIs(stage, person, path, "done", stop);
  person.imports.push(path);
  return true;
}

async function takeBack(stage: Stage, person: Person, stop: AbortSignal): Promise<boolean> {
  const path = person.imports.shift();
  if (path === undefined) return false;
  await insist("the import's undo", async () => await submit(stage, person, `${path}/undo`, {}));
  await untilIs(stage, person, path, "undone", stop);
  return true;
}

async function untilIs(stage: Stage, person: Person, path: string, state: string, stop: AbortSignal): Promise<void> {
  await poll(
    `an import that is ${state}`,
    async () => {
      stop.throwIfAborted();
      const [row] = await stage.sql("select state from imports where tenant_id = $1 and id = $2", [
        person.tenantId,
        path.split("/").at(-1),
      ]);
      return row?.state === state;
    },
    PATIENCE_SECONDS,
  );
}
