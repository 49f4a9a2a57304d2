import { randomUUID } from "node:crypto";
import { COMPANIES_PER_ORDERING_ONE, SEARCHES, companyAt, randomFrom } from "../tenants/dataset.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { LoadRequest } from "./load-job.ts";

/** What is measured: one kind of request, or a mix, against one tenant. */
export type Scenario = {
  name: string;
  /**
   * The requests of one round, which a generator takes in this order.
   * @param serial differs from round to round
   * @param seconds how long the round is
   */
  requests(tenant: SeededTenant, serial: number, seconds: number): LoadRequest[];
  /** No request may be sent twice: it would fail, or do something else than before. */
  once?: true;
  /** Rows that the requests need, made before the round: how many companies to delete, per second of the round. */
  deletes?: number;
  /** A tenant with fewer companies has no such page. */
  smallest?: number;
};

/** How many requests a round has to choose from. */
const VARIETY = 4_000;
const WRITES_PER_SECOND = 24_000;
/** More than any round needs: the numbers of the rounds do not overlap. */
const NUMBERS_PER_ROUND = 1_000_000;
const DELETES_PER_SECOND = 8_000;

const COMPANIES = "/api/v1/companies";

function get(path: string): LoadRequest {
  return { method: "GET", path };
}

function same(name: string, path: string): Scenario {
  return { name, requests: () => Array.from({ length: 16 }, () => get(path)) };
}

/** Requests for companies picked at random, the same ones in each run. */
function forCompanies(name: string, request: (id: number, index: number) => LoadRequest, every = 1): Scenario {
  return {
    name,
    requests(tenant, serial) {
      const random = randomFrom(serial);
      return Array.from({ length: VARIETY }, () => {
        const index = Math.floor((random() * tenant.companies) / every) * every;
        return request(tenant.firstCompany + index, index);
      });
    },
  };
}

export const show = forCompanies("show", (id) => get(`${COMPANIES}/${id}`));
export const listPage1 = same("list page 1", COMPANIES);
export const listPage100: Scenario = { ...same("list page 100", `${COMPANIES}?page=100`), smallest: 5_000 };
export const listPage10000: Scenario = { ...same("list page 10,000", `${COMPANIES}?page=10000`), smallest: 500_000 };
export const listByStatus = same("list by status", `${COMPANIES}?status=active`);
export const listByOwner: Scenario = {
  name: "list by owner",
  requests: ({ users }) => users.map((user) => get(`${COMPANIES}?assigned_to=${user}`)),
};
export const searchFew = same("search few", `${COMPANIES}?search=${SEARCHES.few}`);
export const searchThousand = same("search a thousand", `${COMPANIES}?search=${SEARCHES.thousand}`);
export const searchEvery = same("search every row", `${COMPANIES}?search=${SEARCHES.every}`);
export const searchTwoLetters = same("search two letters", `${COMPANIES}?search=${SEARCHES.twoLetters}`);
export const searchNone = same("search none", `${COMPANIES}?search=${SEARCHES.none}`);
export const contacts = forCompanies("contacts", (id) => get(`${COMPANIES}/${id}/contacts`));
export const wmsOrders = forCompanies(
  "wms-orders",
  (id) => get(`${COMPANIES}/${id}/wms-orders`),
  COMPANIES_PER_ORDERING_ONE,
);

export const create: Scenario = {
  name: "create",
  once: true,
  requests: (_tenant, serial, seconds) =>
    Array.from({ length: Math.ceil(seconds * WRITES_PER_SECOND) }, (_, index) =>
      creation(serial * NUMBERS_PER_ROUND + index),
    ),
};

/** The same creates, each to be done once. */
export const keyedCreate: Scenario = {
  ...create,
  name: "create with a key",
  requests(tenant, serial, seconds) {
    const requests = create.requests(tenant, serial, seconds);
    for (const request of requests) request.headers = { "idempotency-key": randomUUID() };
    return requests;
  },
};

/** The same creates, each with the id of another system. */
export const externalCreate: Scenario = {
  ...create,
  name: "create with an external id",
  requests(tenant, serial, seconds) {
    const requests = create.requests(tenant, serial, seconds);
    for (const [index, request] of requests.entries()) {
      const external = JSON.stringify({ erp: `E${serial * NUMBERS_PER_ROUND + index}` });
      request.body = `${request.body?.slice(0, -1)},"external":${external}}`;
    }
    return requests;
  },
};

/** Companies that one request looks up by their ids: the most that it may. */
export const LOOKED_UP = 200;

/** Look-ups of companies picked at random, many by each request. */
export const lookUpMany: Scenario = {
  name: "look up by ids",
  requests(tenant, serial) {
    const random = randomFrom(serial);
    const id = () => tenant.firstCompany + Math.floor(random() * tenant.companies);
    return Array.from({ length: VARIETY / LOOKED_UP }, () => {
      const ids = new Set<number>();
      while (ids.size < LOOKED_UP) ids.add(id());
      return get(`${COMPANIES}?ids=${[...ids].join(",")}&per_page=${LOOKED_UP}`);
    });
  },
};

export const update: Scenario = {
  name: "update",
  requests(tenant, serial) {
    const random = randomFrom(serial);
    return Array.from({ length: VARIETY }, () => updating(tenant, random));
  },
};

export const remove: Scenario = {
  name: "delete",
  once: true,
  deletes: DELETES_PER_SECOND,
  requests: () => [],
};

/** Eight in ten read. */
export const mix: Scenario = {
  name: "mix",
  once: true,
  requests(tenant, serial, seconds) {
    const random = randomFrom(serial);
    const reads = [show, show, show, show, listPage1, searchFew, contacts, wmsOrders];
    const pools = reads.map((scenario) => scenario.requests(tenant, serial, seconds));
    return Array.from({ length: Math.ceil(seconds * WRITES_PER_SECOND) }, (_, index) => {
      const kind = index % 10;
      if (kind === 8) return creation(serial * NUMBERS_PER_ROUND + index);
      if (kind === 9) return updating(tenant, random);
      const pool = pools[kind] ?? [];
      return pool[index % pool.length] ?? get(COMPANIES);
    });
  },
};

/** Numbers beyond the seeded ones, so that its tax id is new. */
function creation(number: number): LoadRequest {
  const { owner: _owner, notes: _notes, callback_date: _date, ...company } = companyAt(number, 100_000_000);
  return { method: "POST", path: COMPANIES, body: JSON.stringify({ ...company, tax_id: `NEW${number}` }) };
}

function updating(tenant: SeededTenant, random: () => number): LoadRequest {
  const index = Math.floor(random() * tenant.companies);
  const { city, county, status } = companyAt(Math.floor(random() * 1_000_000), tenant.companies);
  const changes = { city, county, status, employee_count: Math.floor(random() * 5_000), notes: `Called, ${random()}.` };
  return { method: "PUT", path: `${COMPANIES}/${tenant.firstCompany + index}`, body: JSON.stringify(changes) };
}

/** In the order in which they are run: those that write come last. */
export const scenarios: readonly Scenario[] = [
  show,
  listPage1,
  listPage100,
  listPage10000,
  listByStatus,
  listByOwner,
  searchFew,
  searchThousand,
  searchEvery,
  searchTwoLetters,
  searchNone,
  contacts,
  wmsOrders,
  create,
  update,
  remove,
  mix,
];
