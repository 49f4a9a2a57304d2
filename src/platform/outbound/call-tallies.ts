import { Tallies } from "../metrics/tallies.ts";

/** The outgoing calls of this process, of every kind and by every HTTP client (http-client.ts). */
export const callTallies = new Tallies({
  labels: ["to", "outcome"],
  count: { name: "liaison_calls_total", help: "Calls to others that ended: answered, unsent or unknown." },
  seconds: { name: "liaison_call_seconds_total", help: "Seconds that they took, waiting for a connection included." },
});

/** Deliveries by outcome. Each kind of delivery records its own, with its own words. */
export const deliveryTallies = new Tallies({
  labels: ["to", "outcome"],
  count: { name: "liaison_deliveries_total", help: "Attempts to deliver an order or an event that ended." },
  fromStart: [
    ["warehouse", "refused"],
    ["warehouse", "credentials"],
    ["webhook", "given_up"],
  ],
});
