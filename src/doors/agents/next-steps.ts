import type { JsonObject } from "./session.ts";

/** The next step of an assistant after an error, by its code (src/kit/errors.ts). */
export function nextStep(code: string | null, tool: string, { data, errors }: JsonObject): string {
  const holder = (data as JsonObject | undefined)?.id;
  switch (code) {
    case "tax_id_taken":
      return `Company ${String(holder)} has this tax id: use upsert_company with id ${String(holder)}.`;
    case "invoice_number_taken":
      return `Invoice ${String(holder)} has this number: use upsert_invoice with id ${String(holder)}, or another number.`;
    case "external_id_taken":
      return `Resource ${String(holder)} has this external id: read it, and write to it by its id.`;
    case "resource_changed":
      return "Read the resource again, compare, and repeat the call with the new etag and a new request_id.";
    case "resource_missing":
      return "Look for it with find or a list tool: the id may be wrong, or it was deleted.";
    case "capability_missing":
      return "Ask the person for an API key with this capability.";
    case "validation_failed":
      return tool === "apply_batch" && Object.hasOwn(errors as object, "preview")
        ? "The preview is too old, of another key, or applied already: call preview_batch again."
        : "Correct the named fields and call the tool again.";
    case "deletion_blocked":
      return "The company has records that must stay. Do not delete it; set its status to inactive instead.";
    case "idempotency_key_reused":
      return "This request_id belongs to another call. For a new intent, make a new UUID.";
    case "idempotency_key_in_progress":
    case "unavailable":
      return "Wait a second and repeat the call with the same request_id.";
    case "invoice_sent":
      return "Its lines and amounts stay as the warehouse has them. Only other fields can change.";
    case "invoice_not_sendable":
      return "Tell the person the reason. explain_order shows what the invoice needs.";
    case "body_too_large":
      return "Preview fewer items at a time.";
    case "cursor_invalid":
      return `Call ${tool} without the cursor.`;
    case "cursor_too_old":
      return "Begin again without `after`, and read the resources that matter.";
    default:
      return "Tell the person what happened.";
  }
}
