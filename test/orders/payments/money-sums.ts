import type { TestServer, TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";

type Place = { server: Pick<TestServer, "sql">; tenant: Pick<TestTenant, "id"> };

/** Has the job run that keeps sums of older sales. */
export async function askForSums({ server, tenant }: Place): Promise<void> {
  await server.sql(
    `insert into jobs (tenant_id, kind, subject, lane) values ($1, 'sum-sales', 0, 'sum-sales')
     on conflict (tenant_id, kind, subject) do nothing`,
    [tenant.id],
  );
}

export const sums = {
  /** Every change of older sales is in the sums. A worker runs. */
  async summed(place: Place): Promise<void> {
    const { server, tenant } = place;
    await poll("the sums of sales", async () => {
      await askForSums(place);
      const isSummed = `select from sales_progress p where p.tenant_id = $1 and p.until is not null
        and not exists (select from changed_sales n where n.tenant_id = $1)`;
      return (await server.sql(isSummed, [tenant.id])).length > 0;
    });
  },
};
