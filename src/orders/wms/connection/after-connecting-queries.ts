import { isConnectionOf, usesWorkspaces } from "../../../customers/companies/warehouse-of-company.ts";
import { moveSelected } from "../../../kit/jobs/job-queries.ts";
import { laneOf } from "../../../kit/warehouse/instance-url.ts";
import { callsOf } from "../../../platform/postgres/query.ts";
import type { Call, Statement } from "../../../platform/postgres/statement.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { openSince } from "../../invoices/locked-queries.ts";
import { LOST_ELSEWHERE, storedReason, type SendReason } from "../../invoices/wms-error.ts";

/**
 * The conditions of the invoices of a connection: those of one company ($2), or of all that use the workspace's. Each
 * company is looked up by itself ("offset 0", 0006): the tenant may have a million of them.
 */
const scopes = {
  company: "i.company_id = $2",
  workspace: `$2::bigint is null and exists (
    select from companies c where c.tenant_id = $1 and ${isConnectionOf("c")} and ${usesWorkspaces("c")} offset 0)`,
};
type Scope = keyof typeof scopes;

const forScopes = <T>(make: (scope: Scope, ofScope: string) => T): Record<Scope, T> => ({
  company: make("company", scopes.company),
  workspace: make("workspace", scopes.workspace),
});

export const requeueing = forScopes((scope, ofScope) =>
  callsOf<[companyId: string | null, solved: readonly string[], lostElsewhere: string]>(
    `queue_invoices_of_connection_of_${scope}`,
    `update invoices i set wms_state = 'queued', wms_error = null
  where i.tenant_id = $1 and ${ofScope} and i.wms_state = 'failed'
    and (i.wms_error = any($3::text[]) or starts_with(i.wms_error, $4)) and (${hasStatusToSend} or ${openSince("i")} is not null)`,
  ),
);

// A scalar subquery, since PostgreSQL may answer "exists" by a hash of all companies.
const takingOver = forScopes((scope) =>
  callsOf<[companyId: string | null, instance: string | null]>(
    `take_over_orders_by_connection_of_${scope}`,
    `update invoices i set wms_via = null
  where i.tenant_id = $1 and i.wms_via is not null and $3::text in (i.wms_instance, i.wms_open_instance)
    and ${
      scope === "company"
        ? "i.company_id = $2"
        : `$2::bigint is null and (
      select ${usesWorkspaces("c")} from companies c where c.tenant_id = $1 and c.id = i.company_id)`
    }`,
  ),
);

const following = forScopes((scope, ofScope) =>
  callsOf<[companyId: string | null]>(
    `follow_orders_again_of_${scope}`,
    `update invoices i set wms_poll_at = now()
  where i.tenant_id = $1 and ${ofScope} and i.wms_poll_at is not null`,
  ),
);

const waitingStatement = forScopes((scope, ofScope): Statement => ({
  name: `invoices_of_connection_of_${scope}`,
  text: `select i.id as subject from invoices i
  where i.tenant_id = $1 and ${ofScope.replace("$2", "$4")} and i.wms_state in ('queued', 'unknown')`,
}));

/**
 * The calls after a connection began to apply to a company, or the workspace's for all companies that use it
 * (`companyId` null). They queue the invoices again that failed because of a refused key, or because their orders may
 * be in a warehouse that the company was not connected with: each order is looked up there first. Orders are followed
 * again, and waiting jobs move to the lane of the warehouse. Orders at this instance that the connection of a merged
 * company reached are reached by this one from now on, whatever their state.
 * @param instance the hostname that is called; null: no warehouse can be reached
 */
export function afterConnecting(
  companyId: string | null,
  { subdomain, instance }: { subdomain: string; instance: string | null },
): Call[] {
  const scope = companyId === null ? "workspace" : "company";
  const solved: SendReason[] = [{ code: "credentials" }];
  if (instance !== null) solved.push({ code: "movedAway", instance });
  return [
    takingOver[scope](companyId, instance),
    requeueing[scope](companyId, solved.map(storedReason), LOST_ELSEWHERE),
    following[scope](companyId),
    moveSelected("send-invoice", laneOf(subdomain), waitingStatement[scope], [companyId]),
  ];
}
