import { createHash } from "node:crypto";
import { and, asc, count, desc, eq, getTableColumns, ilike, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import Fastify, { type FastifyRequest } from "fastify";
import pg from "pg";
import { addresses, apiKeys, blockers, companies, contacts, invoices, searched, tenants, users } from "./schema.ts";

// The usual way: what a competent developer writes by hand in an afternoon. Fastify with a schema for bodies, an ORM
// over a pool, the key looked up in each request, count(*) beside each page, ILIKE over the same indexes. It neither
// encrypts phones nor has the second tenancy wall, limits no rates and validates less, all of which is in its favour.
// argv: connection (JSON), port.
const [connection = "", port = ""] = process.argv.slice(2);
const pool = new pg.Pool({
  ...(JSON.parse(connection) as pg.PoolConfig),
  max: 16,
  options: "-c timezone=UTC -c jit=off",
});
const db = drizzle(pool);
const app = Fastify();

declare module "fastify" {
  interface FastifyRequest {
    tenantId: number;
  }
}
app.decorateRequest("tenantId", 0);

class Refused extends Error {
  readonly statusCode: number;
  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

app.addHook("onRequest", async (request) => {
  if (request.url === "/health") return;
  const token = request.headers.authorization?.replace(/^Bearer /i, "") ?? "";
  const dot = token.indexOf(".");
  const hash = createHash("sha256")
    .update(token.slice(dot + 1))
    .digest();
  const [key] = await db
    .select({ tenantId: tenants.id, capabilities: apiKeys.capabilities, expiresAt: apiKeys.expiresAt })
    .from(apiKeys)
    .innerJoin(tenants, eq(tenants.id, apiKeys.tenantId))
    .where(
      and(
        eq(tenants.slug, token.slice(0, dot)),
        eq(apiKeys.keyHash, hash),
        isNull(apiKeys.revokedAt),
        isNull(tenants.suspendedAt),
      ),
    );
  if (key === undefined || (key.expiresAt !== null && new Date(key.expiresAt) < new Date())) {
    throw new Refused(401, "Invalid API key.");
  }
  request.tenantId = key.tenantId;
});

const { tenant_id: _tenant, ...columns } = getTableColumns(companies);
const { tenant_id: _tenantOfContact, ...contactColumns } = getTableColumns(contacts);
const withUser = { ...columns, assigned_user: { id: users.id, name: users.name } };
const joinsUser = and(eq(users.tenantId, companies.tenant_id), eq(users.id, companies.assigned_to));

app.get("/health", async () => ({ status: "ok" }));

type Filters = { search?: string; status?: string; assigned_to?: string; page?: string; per_page?: string };

app.get<{ Querystring: Filters }>("/api/v1/companies", async (request) => {
  const { search, status, assigned_to } = request.query;
  const where = and(
    eq(companies.tenant_id, request.tenantId),
    isNull(companies.deleted_at),
    status === undefined ? undefined : eq(companies.status, status),
    assigned_to === undefined ? undefined : eq(companies.assigned_to, Number(assigned_to)),
    search === undefined ? undefined : ilike(searched, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
  );
  const { page, perPage, offset } = pageOf(request.query);
  const [data, total] = await Promise.all([
    db
      .select(withUser)
      .from(companies)
      .leftJoin(users, joinsUser)
      .where(where)
      .orderBy(asc(companies.id))
      .limit(perPage)
      .offset(offset),
    db.$count(companies, where),
  ]);
  return { current_page: page, data, last_page: Math.ceil(total / perPage), per_page: perPage, total };
});

app.get<{ Params: { id: string } }>("/api/v1/companies/:id", async (request) => {
  const ofCompany = (table: typeof contacts | typeof addresses) =>
    sql<number>`(select count(*)::int from ${table} where ${table.tenant_id} = ${request.tenantId}
      and ${table.company_id} = ${companies.id} and ${table.deleted_at} is null)`;
  const [data] = await db
    .select({ ...withUser, contacts_count: ofCompany(contacts), addresses_count: ofCompany(addresses) })
    .from(companies)
    .leftJoin(users, joinsUser)
    .where(theCompany(request));
  return { data: found(data) };
});

app.get<{ Params: { id: string }; Querystring: Filters }>("/api/v1/companies/:id/contacts", async (request) => {
  await findCompany(request);
  const where = and(
    eq(contacts.tenant_id, request.tenantId),
    eq(contacts.company_id, Number(request.params.id)),
    isNull(contacts.deleted_at),
  );
  const { page, perPage, offset } = pageOf(request.query);
  const [rows, total] = await Promise.all([
    db
      .select(contactColumns)
      .from(contacts)
      .where(where)
      .orderBy(desc(contacts.is_primary), asc(contacts.first_name), asc(contacts.id))
      .limit(perPage)
      .offset(offset),
    db.$count(contacts, where),
  ]);
  const data = rows.map((row) => ({ ...row, full_name: `${row.first_name} ${row.last_name}` }));
  return { current_page: page, data, last_page: Math.ceil(total / perPage), per_page: perPage, total };
});

app.get<{ Params: { id: string }; Querystring: Filters }>("/api/v1/companies/:id/wms-orders", async (request) => {
  const company = await findCompany(request);
  const where = and(
    eq(invoices.tenant_id, request.tenantId),
    eq(invoices.company_id, company.id),
    isNotNull(invoices.wms_order_id),
  );
  const { page, perPage, offset } = pageOf(request.query);
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(invoices)
      .where(where)
      .orderBy(sql`${invoices.wms_synced_at} desc nulls last`, asc(invoices.id))
      .limit(perPage)
      .offset(offset),
    db.$count(invoices, where),
  ]);
  const data = rows.map((row) => ({
    crm_invoice_id: row.id,
    crm_invoice_number: row.number,
    company,
    wms: {
      instance: row.wms_instance,
      order_id: row.wms_order_id,
      order_number: row.wms_order_number,
      status: row.wms_status,
      synced_at: row.wms_synced_at,
    },
  }));
  return { current_page: page, data, per_page: perPage, total };
});

const text = (maxLength: number) => ({ type: ["string", "null"], maxLength });
const properties = {
  name: { type: "string", minLength: 1, maxLength: 255 },
  tax_id: text(20),
  registration_number: text(30),
  industry: text(100),
  website: text(255),
  phone: text(30),
  email: { ...text(255), format: "email" },
  address: text(255),
  city: text(100),
  county: text(100),
  country: text(100),
  postal_code: text(20),
  status: { enum: ["active", "inactive", "prospect", "churned"] },
  notes: text(65_535),
  employee_count: { type: ["integer", "null"], minimum: 0 },
  callback_date: { type: ["string", "null"], format: "date" },
};
const changes = { type: "object", properties, additionalProperties: false };

type Company = typeof companies.$inferInsert;

app.post<{ Body: Company }>(
  "/api/v1/companies",
  { schema: { body: { ...changes, required: ["name"] } } },
  async (request, reply) => {
    const company = { ...request.body, country: request.body.country ?? "Romania", tenant_id: request.tenantId };
    const [data] = await unlessTaken(db.insert(companies).values(company).returning(columns));
    return reply.code(201).send({ data: { ...data, assigned_user: null } });
  },
);

app.put<{ Params: { id: string }; Body: Partial<Company> }>(
  "/api/v1/companies/:id",
  { schema: { body: changes } },
  async (request) => {
    const set = { ...request.body, updated_at: new Date().toISOString() };
    const [data] = await unlessTaken(db.update(companies).set(set).where(theCompany(request)).returning(columns));
    const { assigned_to } = found(data);
    const [user] =
      assigned_to === null
        ? []
        : await db
            .select({ id: users.id, name: users.name })
            .from(users)
            .where(and(eq(users.tenantId, request.tenantId), eq(users.id, assigned_to)));
    return { data: { ...data, assigned_user: user ?? null } };
  },
);

app.delete<{ Params: { id: string } }>("/api/v1/companies/:id", async (request) => {
  await db.transaction(async (tx) => {
    const [company] = await tx.select({ id: companies.id }).from(companies).where(theCompany(request)).for("update");
    const { id } = found(company);
    for (const [kind, table] of Object.entries(blockers)) {
      const [rows] = await tx
        .select({ n: count() })
        .from(table)
        .where(and(eq(table.tenant_id, request.tenantId), eq(table.company_id, id)));
      if (rows !== undefined && rows.n > 0) throw new Refused(422, `The company has ${kind}.`);
    }
    await tx.update(companies).set({ deleted_at: new Date().toISOString() }).where(theCompany(request));
  });
  return { message: "Company deleted." };
});

type ForCompany = FastifyRequest<{ Params: { id: string } }>;

function theCompany({ tenantId, params }: Pick<ForCompany, "tenantId" | "params">): SQL | undefined {
  return and(eq(companies.tenant_id, tenantId), eq(companies.id, Number(params.id)), isNull(companies.deleted_at));
}

async function findCompany(request: Pick<ForCompany, "tenantId" | "params">) {
  const [company] = await db
    .select({ id: companies.id, tax_id: companies.tax_id })
    .from(companies)
    .where(theCompany(request));
  return found(company);
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new Refused(404, "There is no such company.");
  return row;
}

async function unlessTaken<T>(query: Promise<T>): Promise<T> {
  return await query.catch((error: Error & { cause?: { code?: string } }) => {
    throw error.cause?.code === "23505" ? new Refused(409, "The tax id is taken.") : error;
  });
}

function pageOf(query: Filters) {
  const page = Math.max(1, Number(query.page) || 1);
  const perPage = Math.min(200, Math.max(1, Number(query.per_page) || 50));
  return { page, perPage, offset: (page - 1) * perPage };
}

await app.listen({ port: Number(port), host: "127.0.0.1" });
