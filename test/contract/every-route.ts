/**
 * Every endpoint as the specification (4) and decisions 6 and 7 list it, written down a second time and on purpose: the
 * tests of capabilities and tenancy run over this table, and fail where src/routes.ts has an endpoint that is not here.
 */
export type EveryRoute = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  capability: string;
  /** The model whose id the path names; null: it names none. */
  model: "Company" | "Contact" | "Address" | null;
  /** A body that passes validation. */
  body?: object;
  /** What a request that is let through answers, on a resource that exists. */
  status: number;
};

const person = { first_name: "Ana", last_name: "Pop" };

export const everyRoute: EveryRoute[] = [
  { method: "GET", path: "/api/v1/companies", capability: "companies:read", model: null, status: 200 },
  {
    method: "POST",
    path: "/api/v1/companies",
    capability: "companies:write",
    model: null,
    body: { name: "A" },
    status: 201,
  },
  { method: "GET", path: "/api/v1/companies/{id}", capability: "companies:read", model: "Company", status: 200 },
  {
    method: "PUT",
    path: "/api/v1/companies/{id}",
    capability: "companies:write",
    model: "Company",
    body: { name: "B" },
    status: 200,
  },
  {
    method: "GET",
    path: "/api/v1/companies/{company}/contacts",
    capability: "contacts:read",
    model: "Company",
    status: 200,
  },
  {
    method: "POST",
    path: "/api/v1/companies/{company}/contacts",
    capability: "contacts:write",
    model: "Company",
    body: person,
    status: 201,
  },
  { method: "GET", path: "/api/v1/contacts/{id}", capability: "contacts:read", model: "Contact", status: 200 },
  {
    method: "PUT",
    path: "/api/v1/contacts/{id}",
    capability: "contacts:write",
    model: "Contact",
    body: person,
    status: 200,
  },
  { method: "DELETE", path: "/api/v1/contacts/{id}", capability: "contacts:write", model: "Contact", status: 200 },
  {
    method: "GET",
    path: "/api/v1/companies/{company}/addresses",
    capability: "addresses:read",
    model: "Company",
    status: 200,
  },
  {
    method: "POST",
    path: "/api/v1/companies/{company}/addresses",
    capability: "addresses:write",
    model: "Company",
    body: { address: "Strada Lungă 1" },
    status: 201,
  },
  { method: "GET", path: "/api/v1/addresses/{id}", capability: "addresses:read", model: "Address", status: 200 },
  {
    method: "PUT",
    path: "/api/v1/addresses/{id}",
    capability: "addresses:write",
    model: "Address",
    body: { city: "Turda" },
    status: 200,
  },
  { method: "DELETE", path: "/api/v1/addresses/{id}", capability: "addresses:write", model: "Address", status: 200 },
  {
    method: "GET",
    path: "/api/v1/companies/{company}/wms-orders",
    capability: "wms-orders:read",
    model: "Company",
    status: 200,
  },
  // Last: it takes the company away from the others.
  { method: "DELETE", path: "/api/v1/companies/{id}", capability: "companies:write", model: "Company", status: 200 },
];

/** The path with the id filled in. */
export function pathOf({ path }: EveryRoute, id: number | string): string {
  return path.replace(/\{\w+\}/, String(id));
}

/** `METHOD path` of each, sorted, to compare with the program's own list. */
export function namesOf(routes: readonly { method: string; path: string }[]): string[] {
  return routes.map(({ method, path }) => `${method} ${path}`).toSorted();
}
