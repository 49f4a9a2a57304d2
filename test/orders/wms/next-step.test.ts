import assert from "node:assert/strict";
import { test } from "node:test";
import type { Order, WarehouseFailure } from "../../../src/kit/warehouse/warehouse-client.ts";
import {
  nextSendStep,
  type SendAnswers,
  type SendState,
  type SendStep,
} from "../../../src/orders/wms/sending/next-step.ts";
import { fc } from "../../properties.ts";

const invoice = {
  state: "queued",
  attempt: "3",
  openMs: null,
  openInstance: null,
  openSource: null,
  isLost: false,
  mayBeLost: false,
  formerSlugs: [],
  areFormerChecked: false,
  status: "issued",
  number: "F7",
  total: "119.00",
  taxId: "RO1",
  mergedTaxIds: [],
};
const SETTLE_MS = 60_000;

function stateOf(changed: Partial<Record<keyof typeof invoice, unknown>> = {}, tries = 1): SendState {
  return {
    id: "7",
    invoice: { ...invoice, ...changed } as SendState["invoice"],
    reached: { instance: "a.example", lane: "wms/a" },
    sources: { present: "crm/now", decisive: "crm/now", all: ["crm/now", "crm/former"] },
    tries,
    settleMs: SETTLE_MS,
    retryMs: 1_000,
    random: 0.5,
  };
}

function order(changed: Partial<Order> = {}): Order {
  const none = { orderNumber: null, status: null, externalOrderId: null, externalSource: null };
  const times = { createdAt: null, updatedAt: null };
  return { orderId: 1, ...none, invoiceReference: "F7", clientCui: "1", total: "119", ...times, ...changed };
}

const found = (...orders: Order[]) => ({ outcome: "found" as const, orders });
const byPair = (now: Order[], former: Order[] = []): SendAnswers => ({
  byPair: {
    outcome: "found",
    sources: [
      { source: "crm/now", orders: now },
      { source: "crm/former", orders: former },
    ],
  },
});
const created = (answer: unknown) => ({ created: { attempt: "4", answer } }) as SendAnswers;

/** A step in words: its name, the statements of its records with the reason that they store, and the outcome. */
function told(step: SendStep): unknown[] {
  if (step.step === "link") return ["link", step.attempt, step.order.orderId, step.remark?.code ?? null];
  if (step.step === "end-beside-connection") return [step.step, ...told({ step: "end", ...step.asRead })];
  if (step.step !== "end") return [step.step];
  const records = step.calls.map(({ statement, parameters }) => {
    const reason = parameters.find((each) => typeof each === "string" && each.startsWith("{"));
    return `${statement.name} ${String(parameters[1])}${reason === undefined ? "" : ` ${JSON.parse(String(reason)).code}`}`;
  });
  const { outcome, ...rest } = step.outcome;
  return [...records, outcome, rest];
}

const open = { openMs: "70000" };
const lost = { openMs: null, mayBeLost: true };
const answered = { answered: true };
const afterPause = (afterMs: number, counts: boolean, isAnswered: boolean) => ({
  afterMs,
  counts,
  answered: isAnswered,
  lane: "wms/a",
});

const cases: [what: string, state: SendState, answers: SendAnswers, step: unknown[]][] = [
  [
    "a dead worker's attempt",
    stateOf({ state: "sending" }),
    {},
    ["leave_open 3", "again", { afterMs: 0, counts: false }],
  ],
  ["no connection", { ...stateOf(), reached: null }, {}, ["fail_sending 3 disconnected", "done", {}]],
  ["nothing tried yet", stateOf(), {}, ["create"]],
  ["a draft", stateOf({ status: "draft" }), {}, ["note_absent_order 3", "done", {}]],
  ["begun elsewhere", stateOf(), { created: null }, ["again", { afterMs: 0, counts: false }]],
  ["created", stateOf(), created({ outcome: "created", order: order() }), ["link", "4", 1, null]],
  [
    "created, another total",
    stateOf(),
    created({ outcome: "created", order: order({ total: "9" }) }),
    ["link", "4", 1, "total"],
  ],
  [
    "created as another's",
    stateOf(),
    created({ outcome: "adopted", order: order({ clientCui: "2" }) }),
    ["leave_seen_order 4 another", "done", answered],
  ],
  [
    "created, and held by another invoice",
    stateOf(),
    { ...created({ outcome: "created", order: order() }), holder: "F8" },
    ["leave_seen_order 4 held", "done", answered],
  ],
  [
    "created without an answer",
    stateOf(),
    created({ outcome: "unknown", reason: "timeout" }),
    ["leave_open 4", "again", afterPause(500, true, false)],
  ],
  [
    "the same for the last time",
    stateOf({}, 20),
    created({ outcome: "unknown", reason: "timeout" }),
    ["leave_open 4", "fail_sending 4 gaveUp", "done", { answered: false }],
  ],
  ["an open attempt", stateOf(open), {}, ["look-up"]],
  [
    "one at another host",
    stateOf({ ...open, openInstance: "b.example" }),
    {},
    ["fail_sending 3 movedAway", "done", {}],
  ],
  ["one whose order is there", stateOf(open), byPair([order()]), ["link", "3", 1, null]],
  [
    "one with several orders",
    stateOf(open),
    byPair([order(), order({ orderId: 2 })]),
    ["leave_seen_order 3 several", "done", answered],
  ],
  ["another installation's order", stateOf(open), byPair([], [order({ invoiceReference: "X" })]), ["create"]],
  [
    "one too young to be absent",
    stateOf({ openMs: "20000" }),
    byPair([]),
    ["again", { afterMs: 40_000, counts: false, ...answered }],
  ],
  [
    "one of the future",
    stateOf({ openMs: "-5" }),
    byPair([]),
    ["leave_open 3", "again", { afterMs: SETTLE_MS, counts: false, ...answered }],
  ],
  ["one that is absent", stateOf(open), byPair([]), ["create"]],
  ["a possible loss", stateOf(lost), {}, ["search-lost"]],
  ["a lost order", stateOf(lost), { byNumber: found(order()) }, ["link", "3", 1, "beforeLoss"]],
  ["none here", stateOf(lost), { byNumber: found() }, ["search-elsewhere"]],
  [
    "none here, and looked for elsewhere",
    stateOf({ ...lost, areFormerChecked: true }),
    { byNumber: found() },
    ["create"],
  ],
  ["none anywhere", stateOf(lost), { byNumber: found(), elsewhere: [] }, ["create"]],
  [
    "perhaps one elsewhere",
    stateOf(lost),
    { byNumber: found(), elsewhere: ["b.example"] },
    ["fail_absent_here 3 lostElsewhere", "done", answered],
  ],
  [
    "a refusal",
    stateOf(),
    created({ outcome: "refused", message: "No." }),
    ["fail_sending 4 refused", "done", answered],
  ],
  [
    "a refused key",
    stateOf(open),
    { byPair: { outcome: "credentials" } },
    ["end-beside-connection", "fail_sending 3 credentials", "done", answered],
  ],
  [
    "a requested pause",
    stateOf({}, 20),
    created({ outcome: "throttled", retryAfterMs: 9_000 }),
    ["back_into_queue 4 throttled", "again", afterPause(9_000, false, true)],
  ],
  [
    "no answer to a look-up",
    stateOf(open, 3),
    { byPair: { outcome: "unsent", reason: "timeout" } as unknown as WarehouseFailure },
    ["back_into_queue 3 unsent", "again", afterPause(2_000, true, false)],
  ],
  [
    "an error in answer to a look-up",
    stateOf(open, 3),
    { byPair: { outcome: "unknown", reason: "status", status: 503 } },
    ["back_into_queue 3 unanswered", "again", afterPause(2_000, true, false)],
  ],
  [
    "no answer for long: the pause is half of 15 minutes",
    stateOf(open, 19),
    { byPair: { outcome: "unsent", reason: "refused" } as unknown as WarehouseFailure },
    ["back_into_queue 3 unsent", "again", afterPause(450_000, true, false)],
  ],
];

test("each state and its answers have one next step", () => {
  for (const [what, state, answers, step] of cases) assert.deepEqual(told(nextSendStep(state, answers)), step, what);
});

const failure = fc.constantFrom(
  { outcome: "refused", message: "" },
  { outcome: "credentials" },
  { outcome: "throttled", retryAfterMs: null },
  { outcome: "missing" },
  { outcome: "unknown", reason: "timeout" },
) as fc.Arbitrary<WarehouseFailure>;
const orders = fc
  .array(
    fc.record({
      orderId: fc.integer({ min: 1, max: 3 }),
      invoiceReference: fc.constantFrom("F7", "F8", null),
      clientCui: fc.constantFrom("RO 1", "2", null),
    }),
    { maxLength: 2 },
  )
  .map((all) => all.map(order));

test("whatever a warehouse answers, sending ends, creates once at most, and never beside an order of its own", () => {
  fc.assert(
    fc.property(
      fc.record({
        openMs: fc.constantFrom(null, "-1", "5", "70000"),
        mayBeLost: fc.boolean(),
        isLost: fc.boolean(),
        areFormerChecked: fc.boolean(),
        status: fc.constantFrom("issued", "draft", "cancelled"),
      }),
      fc.record({
        now: orders,
        former: orders,
        byNumber: fc.oneof(
          orders.map((all) => found(...all)),
          failure,
        ),
        elsewhere: fc.constantFrom([], ["b.example"]),
        failure: fc.option(failure),
        isHeld: fc.boolean(),
      }),
      (changed, warehouse) => {
        const state = stateOf(changed);
        const taken: string[] = [];
        const answers: SendAnswers = {};
        for (;;) {
          const { step } = nextSendStep(state, answers);
          taken.push(step);
          assert.ok(taken.length <= 6, taken.join());
          if (step === "end" || step === "end-beside-connection") break;
          if (step === "link" && !warehouse.isHeld) break;
          const answer: SendAnswers = {
            ...(step === "look-up" &&
              (warehouse.failure ? { byPair: warehouse.failure } : byPair(warehouse.now, warehouse.former))),
            ...(step === "search-lost" && { byNumber: warehouse.byNumber }),
            ...(step === "search-elsewhere" && { elsewhere: warehouse.elsewhere }),
            ...(step === "create" && created(warehouse.failure ?? { outcome: "created", order: order() })),
            ...(step === "link" && { holder: "F8" }),
          };
          Object.assign(answers, answer);
        }
        const isTried = changed.openMs !== null;
        assert.equal(taken.filter((step) => step === "create").length <= 1, true, taken.join());
        if (taken.includes("create")) {
          assert.ok(!isTried || taken[0] === "look-up", taken.join());
          assert.ok(!isTried || warehouse.now.length === 0, taken.join());
          assert.ok(!changed.mayBeLost || taken.includes("search-lost"), taken.join());
        }
      },
    ),
  );
});
