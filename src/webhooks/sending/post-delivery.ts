import type { Deps } from "../../deps.ts";
import type { Job } from "../../jobs/job.ts";
import { now, steady } from "../../platform/clock.ts";
import { deliveryTallies } from "../../platform/outbound/call-tallies.ts";
import { messageOf } from "../message.ts";
import { signedHeaders } from "../signature.ts";
import { PREVIOUS_SECRET, SECRET } from "../webhook-json.ts";
import type { Sending } from "./planning-queries.ts";
import type { Due, Result } from "./sending-queries.ts";
import { LOST, verdictOn } from "./verdict.ts";

/** Posts a delivery, once. Null where nothing was tried. */
export async function postDelivery(
  { receivers, keyring }: Pick<Deps, "receivers" | "keyring">,
  job: Job,
  webhook: Sending,
  delivery: Due,
): Promise<Result | null> {
  const message = messageOf(delivery, job.subject);
  if (message === null) return { delivery, verdict: LOST, ms: 0 };
  const reveal = (column: typeof SECRET, stored: string | null) =>
    stored === null ? null : keyring.reveal(job.tenant, column, stored);
  const secrets = [reveal(SECRET, webhook.secret), reveal(PREVIOUS_SECRET, webhook.previousSecret)];
  const signed = signedHeaders(
    secrets.filter((secret) => secret !== null),
    { ...message, seconds: Math.floor(now() / 1_000) },
  );
  const begunAt = steady();
  const exchange = await receivers.exchange({
    method: "POST",
    url: new URL(String(webhook.url)),
    headers: { "content-type": "application/json", "user-agent": "Liaison", ...signed },
    body: message.body,
    isBodyIgnored: true,
    signal: job.signal,
    notAfter: job.heldUntil,
  });
  const verdict = verdictOn(exchange, Number(delivery.attempts) + 1);
  if (verdict === null) return null;
  deliveryTallies.note(["webhook", verdict.state]);
  return { delivery, verdict, ms: steady() - begunAt };
}
