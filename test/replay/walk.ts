import fc from "fast-check";
import { API } from "./known-data.ts";
import type { Send } from "./recorder.ts";

const SEED = 20_260_101;

/** A random walk over the resources, the same each time. */
export async function walk(send: Send): Promise<void> {
  const words = [
    "Dacia",
    "Ștefan",
    "Óscar",
    "Ион",
    "O'Neil",
    "<b>x</b>",
    "=1+1",
    "日本",
    "a".repeat(200),
    "Tools & Co",
  ];
  const word = fc.constantFrom(...words);
  const id = fc.integer({ min: 60, max: 109 });
  const write = (noun: string, fields: string[], values: unknown[]) =>
    fc.record({
      method: fc.constantFrom("PUT", "PATCH"),
      path: id.map((of) => `/${noun}/${of}`),
      body: fc
        .tuple(fc.constantFrom(...fields), fc.constantFrom(...words, ...values))
        .map(([field, value]) => ({ [field]: value })),
    });
  const create = (path: fc.Arbitrary<string>, body: fc.Arbitrary<object>) =>
    fc.record({ method: fc.constant("POST"), path, body });
  const ofCompany = (noun: string) => id.map((of) => `/companies/${of}/${noun}`);
  const read = fc.tuple(
    fc.constantFrom("companies", "contacts", "invoices"),
    id,
    fc.constantFrom("", "/history?per_page=3"),
  );
  const step: fc.Arbitrary<{ method: string; path: string; body?: unknown }> = fc.oneof(
    fc.record({ method: fc.constant("GET"), path: read.map(([noun, of, more]) => `/${noun}/${of}${more}`) }),
    fc.record({
      method: fc.constant("DELETE"),
      path: fc.tuple(fc.constantFrom("companies", "contacts"), id).map(([noun, of]) => `/${noun}/${of}`),
    }),
    fc.record({
      method: fc.constant("GET"),
      path: fc
        .tuple(
          word,
          fc.integer({ min: 1, max: 9 }),
          fc.integer({ min: 1, max: 3 }),
          fc.constantFrom("id", "-id", "-name"),
        )
        .map(
          ([search, size, page, sort]) =>
            `/companies?search=${encodeURIComponent(search.slice(0, 20))}&per_page=${size}&page=${page}&sort=${sort}`,
        ),
    }),
    write("companies", ["name", "city", "notes", "status", "employee_count", "callback_date"], ["active", 5, null]),
    write("contacts", ["first_name", "email", "mobile", "is_primary", "birth_date"], [true, null, "q@r.example"]),
    write("invoices", ["status", "due_on", "total"], ["paid", "draft", "2026-12-01", "5.5", null]),
    create(
      fc.constant("/companies"),
      fc.record({
        name: word,
        tax_id: fc.integer({ min: 1, max: 60 }).map((n) => `W${n}`),
        assigned_to: fc.constantFrom(null, 1, 3),
      }),
    ),
    create(
      ofCompany("contacts"),
      word.map((name) => ({ first_name: name.slice(0, 100), last_name: "L" })),
    ),
    create(
      ofCompany("invoices"),
      fc.tuple(fc.integer({ min: 1, max: 80 }), word).map(([n, description]) => ({
        number: `W-${n}`,
        total: "1.10",
        lines: [{ description, quantity: 2, unit_price: "0.55" }],
      })),
    ),
  );
  for (const { method, path, body } of fc.sample(step, { seed: SEED, numRuns: 420 })) {
    await send(method, API + path, { body });
  }
}
