import assert from "node:assert/strict";
import { test } from "node:test";
import { fc, runs } from "../../../properties.ts";
import { startImportServer } from "../import-server.ts";

const server = await startImportServer();

/** One fiscal id as people write it. */
const spellings: readonly ((country: string, number: string) => string)[] = [
  (country, number) => `${country}${number}`,
  (_country, number) => number,
  (country, number) => `${country.toLowerCase()}${number}`,
  (country, number) => `${country} ${number}`,
  (country, number) => `${country}-${number.slice(0, 2)}.${number.slice(2)}`,
  (_country, number) => `\u200b${number}`,
  (country, number) => `${country}\u00a0${number}`,
];
const numbers = fc.uniqueArray(fc.stringMatching(/^[1-9][0-9]{3,8}(?:[A-Z]{0,2})$/), { minLength: 30, maxLength: 30 });
const choices = fc.array(fc.tuple(fc.constantFrom("RO", "DE"), fc.nat(), fc.nat()), { minLength: 30, maxLength: 30 });

test("a company is found by its fiscal id in each spelling, and by no other number", async () => {
  await fc.assert(
    fc.asyncProperty(numbers, choices, async (ids, chosen) => {
      const tenant = await server.createTenant();
      const written = (of: 1 | 2) =>
        ids.map((number, index) => {
          const choice = chosen[index] ?? ["RO", 0, 0];
          return spellings[choice[of] % spellings.length]?.(choice[0], number);
        });
      const file = (texts: (string | undefined)[]) =>
        `name,tax_id\n${texts.map((text, index) => `Firm ${index},${text}\n`).join("")}`;
      await server.importing(tenant, "companies", file(written(1)));
      const again = await server.importing(tenant, "companies", file([...written(2), ...ids.map((id) => `RO${id}9`)]));
      assert.deepEqual([again.created, again.rejected], [30, []]);
      const stored = await server.sql("select count(*)::int as n from companies where tenant_id = $1", [tenant.id]);
      assert.deepEqual(stored, [{ n: 60 }]);
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});
