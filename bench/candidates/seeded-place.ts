import type { Options } from "../options.ts";
import { tenantsOf } from "../tenants/dataset.ts";
import { connectAsOwner, seed } from "../tenants/seed.ts";
import type { Place } from "./candidates.ts";
import { postmasterOf } from "./process-usage.ts";

/** Starts the cluster of a data directory and seeds what it lacks. @param seedWith the seeding of a checkout */
export async function openPlace(
  dataDir: string,
  { sizes, smallTenants }: Options,
  progress: (message: string) => void,
  seedWith = seed,
): Promise<{ place: Place; close: () => Promise<void> }> {
  const { cluster, seeded } = await seedWith(dataDir, tenantsOf(sizes, smallTenants), progress);
  const owner = await connectAsOwner(cluster.connection);
  const postmaster = await postmasterOf(owner);
  const measured = [...seeded.values()].filter(({ companies }) => sizes.includes(companies));
  const tenants = new Map(measured.map((tenant) => [tenant.companies, tenant]));
  return {
    place: { dataDir, connection: cluster.connection, owner, postmaster, tenants },
    async close() {
      await owner.end();
      await cluster.release();
    },
  };
}
