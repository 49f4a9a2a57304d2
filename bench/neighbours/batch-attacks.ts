import { by, type Attack, type AttackRequest } from "./attack.ts";

const COMPANIES = "/api/v1/companies";
const BATCH = `${COMPANIES}/batch`;
const THOUSAND = Array.from({ length: 1_000 }, (_, index) => `Firma ${index}`);
/** Together just below what a batch may be. */
const FAT = bodyOf({ items: THOUSAND.map((tax_id) => ({ tax_id, name: "Firma", notes: "x".repeat(8_000) })) });

/** Many writes by one request, and one write by many. */
export const batchAttacks: readonly Attack[] = [
  by("large", "creates with one key", () => ({
    ...post(COMPANIES, bodyOf({ name: "Firma" })),
    headers: { "idempotency-key": "one" },
  })),
  by("large", "batches of a thousand", (_rows, n) =>
    post(
      BATCH,
      itemsOf((name) => ({ name: `${name} ${n}` })),
    ),
  ),
  by("large", "batches of one tax id", () =>
    post(
      BATCH,
      itemsOf((city) => ({ tax_id: "RO10000001", city })),
    ),
  ),
  by("large", "batches of 8 MiB", () => post(BATCH, FAT)),
];

function itemsOf(item: (text: string) => object): Buffer {
  return bodyOf({ items: THOUSAND.map(item) });
}

function bodyOf(input: object): Buffer {
  return Buffer.from(JSON.stringify(input));
}

function post(path: string, body: Buffer): AttackRequest {
  return { method: "POST", path, body };
}
