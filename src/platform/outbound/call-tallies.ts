import { Tallies } from "../metrics/tallies.ts";

/** The calls of this process to others: whatever kind of it, by every HTTP client (http-client.ts). */
export const callTallies = new Tallies({
  labels: ["to", "outcome"],
  count: { name: "liaison_calls_total", help: "Calls to others that ended: answered, unsent or unknown." },
  seconds: { name: "liaison_call_seconds_total", help: "Seconds that they took, waiting for a connection included." },
});

/** Deliveries by how they ended, in the words of who delivers. Each kind of delivery notes its own here. */
export const deliveryTallies = new Tallies({
  labels: ["to", "outcome"],
  count: { name: "liaison_deliveries_total", help: "Attempts to deliver an order or an event that ended." },
  fromStart: [
    ["warehouse", "refused"],
    ["warehouse", "credentials"],
    ["webhook", "given_up"],
  ],
});
