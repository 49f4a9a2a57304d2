import assert from "node:assert/strict";
import { test } from "node:test";
import {
  sendReasonIn,
  sendReasonOf,
  sendSentence,
  storedReason,
  type SendReason,
} from "../../../src/orders/invoices/wms-error.ts";

const theirs = { number: "A-1", fiscalId: "RO1" };
const ours = { number: null, fiscalId: null };

/** Programs parse these sentences in `wms.error`, so they must not change. */
const said: [SendReason, string][] = [
  [{ code: "credentials" }, "The warehouse refused the credentials."],
  [{ code: "disconnected" }, "The company has no warehouse connection."],
  [{ code: "unreachable" }, "No warehouse can be reached from this installation."],
  [{ code: "copied" }, "It came with a backup of the workspace, and is not sent by itself."],
  [{ code: "unknown" }, "Nobody knows whether the last attempt reached the warehouse; its order is looked up first."],
  [{ code: "gone" }, "The warehouse no longer has this order."],
  [{ code: "throttled" }, "The warehouse asked us to retry later."],
  [{ code: "noOrders" }, "The warehouse's address takes no orders (404)."],
  [{ code: "status", status: "draft" }, "The invoice is a draft."],
  [{ code: "status", status: "cancelled" }, "The invoice is cancelled."],
  [{ code: "several", ids: [1, 2] }, "The warehouse has several orders of this invoice: 1, 2."],
  [
    { code: "another", orderId: 7, theirs, ours },
    "The warehouse returned its order 7, which belongs to A-1 (RO1), but this is an invoice (no fiscal id): it was not linked. Correct the order there. If two installations share a source, set another LIAISON_WMS_SOURCE. Then send the invoice again.",
  ],
  [
    { code: "held", orderId: 7, number: "A-2" },
    "The warehouse answered with its order 7, but the invoice A-2 has that order: it was not linked. Find out in the warehouse which of the two it is of, correct the other, and send the invoice again.",
  ],
  [{ code: "total", theirs: "1", ours: "2" }, "The order's total is 1, the invoice's is 2."],
  [
    { code: "movedAway", instance: "north.localhost" },
    "An order may exist at north.localhost, which the company is not connected with any more. Connect it again to look there.",
  ],
  [{ code: "unsent", why: "connect" }, "The warehouse cannot be reached (connect)."],
  [{ code: "unanswered", why: "timeout" }, "The warehouse gave no usable answer (timeout)."],
  [
    { code: "gaveUp", after: { code: "unanswered", why: "status" } },
    "Given up after 20 attempts. The warehouse gave no usable answer (status).",
  ],
  [{ code: "refused", words: "No such SKU." }, "No such SKU."],
];

test("every reason is said by the API as ever, also after it was stored, and in Romanian on pages", () => {
  for (const [reason, sentence] of said) {
    const stored = sendReasonOf(storedReason(reason));
    assert.deepEqual(stored, reason);
    assert.equal(sendSentence(stored), sentence);
    assert.doesNotMatch(sendReasonIn("ro", stored), /The warehouse|The invoice|attempt/);
  }
});

test("a stored text that is no known reason is shown as it is", () => {
  for (const text of ["No such SKU.", "", "5", "null", '{"code":"E12"}', '{"code":"toString"}', '{"code":']) {
    const reason = sendReasonOf(text);
    assert.equal(sendSentence(reason), text);
    assert.equal(sendReasonIn("en", reason), `The warehouse says: “${text}”`);
  }
});
