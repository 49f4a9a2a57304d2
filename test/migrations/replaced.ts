import type pg from "pg";

/** The migrations that the baseline replaced. */
export const REPLACED = `
  0001_foundation 0002_companies-contacts-addresses 0003_invoices-and-records 0004_company-counts
  0005_company-search 0006_company-ids-by-tax-id 0007_search-index-merges 0008_changes
  0010_company-count-changes 0012_text-comparisons 0020_on-a-cluster 0021_changes-in-time 0022_invoices
  0023_sent-invoices 0024_jobs 0025_jobs-on-a-cluster 0026_sessions 0027_signing-in 0031_lists-for-people
  0032_activities 0033_key-uses 0034_imports 0036_sending-invoices 0038_history-of-connections
  0041_wms-jobs-on-a-cluster 0043_warehouse-promises 0044_second-factor-resets 0045_asked-again
  0046_one-way-for-every-tenant 0048_where-it-was-attempted 0049_orders-of-one-invoice
  0050_invitations-of-admins 0051_history-of-the-workspace 0052_removed-operators
  0053_second-factors-of-operators 0054_stored-files 0055_deaths-of-imports 0056_cheaper-writes
  0058_statistics-before-any 0059_shown-states 0062_finding-anything 0066_last-opened
  0067_activities-of-companies 0068_lists-of-people 0069_readings-of-imports 0070_what-an-import-would-change
  0074_finding-in-vain 0080_more-orders-of-companies 0081_company-views 0082_behind-a-cursor
  0083_invoices-by-status-last 0084_longer-search-lists 0086_versions-of-invoices 0088_requests-of-keys
  0089_links-to-confirm 0090_kept-answers 0091_orders-lost 0092_feed 0093_changes-by-transaction
  0094_traces-of-sent-invoices 0095_webhooks 0097_erasing-a-person 0098_kept-answers-of-contacts
  0099_tenants-being-deleted 0100_lanes-of-other-workers 0100_numbering-in-parts 0104_pauses-after-silence
  0105_claims-by-tenant 0108_orders-lost-under-another-slug
`
  .trim()
  .split(/\s+/);

/** Has a database name other migrations than those that it has: as one that these have made. */
export async function nameMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query("delete from migrations");
  await client.query(
    "insert into migrations (name, run_on) select name, now() from unnest($1::text[]) with ordinality as n (name, place) order by place",
    [names],
  );
}
