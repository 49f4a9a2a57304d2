/** The statements that read much of a tenant because that is what they are for, each with what it reads. */
export const walks: ReadonlyMap<string, string> = new Map([
  ...because("it counts or lists all of the few that a tenant has", [
    "users_to_choose",
    "users_ever",
    "admin_names",
    "users_by_words",
    "list_members",
    "count_members",
    "lock_admins",
    "mail_to_admins",
    "list_api_keys",
    "list_open_invitations",
    "count_imports",
    "list_imports",
    "delete_dead_sessions",
    "count_webhooks",
    "defined_fields",
    "list_custom_fields",
    "count_brief_custom_fields",
    "list_brief_custom_fields",
    "count_custom_fields_in_use",
    "insert_custom_field",
    "list_webhooks",
    "count_webhooks_in_need",
    "list_webhooks_in_need",
    "enqueue_webhooks_to_send",
    "erase_opened",
    "erase_import_rows",
    "imports_of_contact",
    "kept_files_of_contact",
    "note_same_again",
    "stakes_of_member",
    "break_glass_choices",
    "count_without_password",
    "never_by_single_sign_on",
    "end_sessions_halfway",
    "end_sessions_once",
  ]),
  ...because("it goes through a tenant's open invitations", [
    "find_member",
    "revoke_invitations_of",
    "accept_invitation_of_address",
    "invitation_of_address",
  ]),
  ...because("it removes as many as it reads", [
    "remove_import_rejections",
    "forget_key_requests",
    "forget_provider_messages",
    "forget_stored_answers",
    "forget_loaded_changes",
    "forget_made_payments",
    "forget_made_planned_calls",
    "forget_loaded_jobs",
    "forget_loaded_lane_news",
    "forget_loaded_key_requests",
    "forget_loaded_key_uses",
    "forget_loaded_api_keys",
    "forget_feed",
  ]),
  ...because("a search looks at rows until it has enough, or at all of them where few match (0007)", [
    "search_companies",
    "find_people",
    "find_notes",
    "search_contacts_by_name",
    "search_contacts_by_last_contact",
  ]),
  ...because("it goes through the names until the page is full, or through all of a status, whichever is quicker", [
    "page_companies_by_name_of_status",
    "page_companies_by_name_down_of_status",
  ]),
  ...because("it counts the updated rows, where they are more than the history names, or older than it", [
    "list_filtered_contacts_of_all",
    "list_filtered_addresses_of_all",
    "list_filtered_payments_of_all",
    "list_filtered_companies_by_id",
    "list_filtered_companies_by_id_down",
    "list_filtered_companies_by_name",
    "list_filtered_companies_by_name_down",
  ]),
  ...because("it counts all of a tenant's rows, for the exact total of a numbered page", [
    "count_contacts_of_all",
    "count_addresses_of_all",
    "count_payments_of_all",
  ]),
  ...because("it goes through the calls of all users, 10,000 at most", [
    "call_backs",
    "count_call_backs",
    "find_next_call",
  ]),
  ...because("it goes through the promises of all users that are over, 10,000 at most", [
    "broken_promises",
    "count_broken_promises",
  ]),
  ...because("it looks for a user's companies in 1,000 pairs at most", ["count_alike_of"]),
  ...because("it writes the few rows of a new demo", ["agree_demo_terms", "plan_demo_call", "state_next_demo_call"]),
  ...because("it counts the overdue invoices, 10,000 at most", ["count_overdue_invoices", "count_orders_overdue"]),
  ...because("it lists or sums up the unpaid invoices, 10,000 at most", [
    "count_orders_unpaid",
    "list_orders_unpaid",
    "ids_of_orders_unpaid",
    "sums_of_orders_unpaid",
    "sums_of_narrowed_orders_unpaid",
    "sums_of_orders_overdue",
  ]),
  ...because("an export goes through all rows in the order of their ids, and leaves out what its filter does", [
    "export_filtered_companies",
    "ids_of_filtered_companies",
  ]),
  ...because("a command goes through a tenant's invoices", ["count_states", "list_followed", "invoices_to_push"]),
  ...because("it goes through what failed or is under way, as far as the workspace's connection is concerned (0074)", [
    "queue_invoices_of_connection_of_workspace",
    "follow_orders_again_of_workspace",
    "move_invoices_of_connection_of_workspace",
    "count_under_way_of_workspace",
  ]),
  ...because("it looks at every tenant's", [
    "claim_jobs",
    "merge_search_index",
    "people/operators/tenant-usage-queries.ts",
    "queue_states",
    "standing_of_mails",
    "count_jobs_due",
    "count_jobs_failed",
    "closed_lanes",
  ]),
  ...because("it reads all users of the installation's own workspace, who are its few operators", ["list_operators"]),
  ...because("it reads one company of each warehouse of a tenant, of at most 22", ["find_neighbours"]),
  ...because("it counts what a total says, one by one", ["recount_companies"]),
  ...because(
    "it looks at what was written since the oldest transaction under way began, of any database of the server (0061)",
    ["number_changes"],
  ),
  ...because("it sums what is open, and what was paid since a day", ["receivables"]),
  ...because(
    "it sums the invoices of a period",
    ["company", "owner", "product", "city", "month"].map((by) => `sales_by_${by}`),
  ),
  ...because("it looks whether a tenant has anything left in any table", ["delete_tenant"]),
]);

/**
 * Where statements are made that are none to look at, by file: a setting and inserts of the demo's rows, and `analyze`.
 */
export const unmade: readonly string[] = [
  "operation/demo/demo-queries.ts",
  "operation/demo/demo-queries.ts",
  "platform/fields/bulk.ts",
];

/** Parts of other statements, which are among those. */
export const parts: readonly string[] = [
  "invoices_of_connection_of_company",
  "invoices_of_connection_of_workspace",
  "chosen",
  "webhook_to_send",
  "webhooks_to_send",
];

function because(reason: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, reason]);
}
