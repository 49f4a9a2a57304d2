import { randomBytes } from "node:crypto";
import { storedReason } from "../../../orders/invoices/wms-error.ts";
import { isSlug } from "../../../people/tenants/tenant.ts";
import { now } from "../../../platform/clock.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { isTrue, type Adjust, type RowValues } from "./adjust-rows.ts";

export type Restoring = {
  id: TenantId;
  slug: string;
  /** Whether the slug is that of the file. */
  isSame: boolean;
  /** Whether the new tenant sends and follows orders and webhooks as before. */
  sends: boolean;
};

/** The ids of the companies, and of the workspace's connection, that send automatically. */
export type SendingAutomatically = { companies: string[]; workspace: string[] };

const ON_THEIR_WAY = new Set(["queued", "sending", "unknown"]);

/**
 * By table, how a backup's rows become those of the new tenant. No trigger may send or follow anything because of them.
 * `hidden` is complete once all rows are adjusted.
 */
export function adjustmentsOf({ id, slug, isSame, sends }: Restoring): {
  adjustments: Readonly<Record<string, Adjust>>;
  hidden: SendingAutomatically;
} {
  const hidden: SendingAutomatically = { companies: [], workspace: [] };
  const adjustments: Readonly<Record<string, Adjust>> = {
    tenants(row) {
      refuseIncomplete(row, "it cannot be restored. Use an earlier backup.");
      // The old tenant, or a copy that it came from, may have sent invoices since. They are looked up first, under
      // every slug.
      const slugs = new Set([...elementsOf(row.orders_lost_slugs ?? "{}"), row.slug ?? ""].filter(isSlug));
      const lost = { orders_lost_at: new Date(now()).toISOString(), orders_lost_slugs: `{${[...slugs].join(",")}}` };
      Object.assign(row, { id, slug }, lost);
    },
    companies(row) {
      if (isTrue(row.wms_send_automatically)) hidden.companies.push(row.id ?? "");
      row.wms_send_automatically = "f";
    },
    workspace_warehouses(row) {
      if (isTrue(row.wms_send_automatically)) hidden.workspace.push(row.id ?? "");
      row.wms_send_automatically = "f";
    },
    single_sign_on(row) {
      // The provider knows the addresses of the former slug only: nobody could sign in by it alone.
      if (isSame) return;
      Object.assign(row, { sso_on: "f", sso_only: "f", sso_break_glass: null, sso_tried_at: null });
    },
    passkeys(row) {
      // An authenticator's answer names one passkey only: that of the former slug, which may still be there.
      if (!isSame) row.user_handle = randomBytes(32).toString("base64url");
    },
    invoices(row) {
      const isFollowed = sends && row.wms_poll_at !== null;
      // Triggers follow a link without a time from now on. asBeforeStatement removes this time again.
      if (!isFollowed) row.wms_poll_at = row.wms_order_id === null ? null : "infinity";
      // Triggers give an invoice without a due day one by today's terms.
      if (row.due_on === null && row.issued_on !== null) row.terms_due_on ??= "infinity";
      if (sends || !ON_THEIR_WAY.has(row.wms_state ?? "")) return;
      Object.assign(row, { wms_state: "failed", wms_error: storedReason({ code: "copied" }) });
    },
    users(row) {
      if (!sends) row.digest_since = null;
    },
    mails(row) {
      // Its job is removed: it would wait for ever, and so would the next mail for a forgotten password.
      if (sends || row.state !== "waiting") return;
      Object.assign(row, { state: "given_up", details: null, ended_at: row.created_at });
    },
    reminders(row) {
      // The old tenant may send it.
      if (!sends && row.ended_at === null) Object.assign(row, { state: "unsure", ended_at: row.created_at });
    },
    jobs(row) {
      // No worker here runs it, and its place in a lane is one of all tenants.
      if (row.state !== "running") return;
      Object.assign(row, { state: "waiting", has_died: "t", worker: null, lease_until: null });
    },
    webhooks(row) {
      if (sends || !isTrue(row.active)) return;
      Object.assign(row, { active: "f", round: String(Number(row.round) + 1), switched_off: null });
    },
  };
  return { adjustments, hidden };
}

/** Refuses a tenant whose deletion has begun: it is incomplete, and could never be resumed. */
export function refuseIncomplete({ slug, deleting_at: since = null }: RowValues, consequence: string): void {
  if (since !== null) throw new Refusal(`The tenant "${slug}" is being deleted and is incomplete: ${consequence}`);
}

/** The elements of a PostgreSQL array, if none of them needs quotation marks. */
function elementsOf(array: string): string[] {
  return array.slice(1, -1).split(",");
}
