import type { Deps } from "../../deps.ts";
import type { Job } from "../../jobs/job.ts";
import { now, steady } from "../../platform/clock.ts";
import { deliveryTallies } from "../../platform/outbound/call-tallies.ts";
import { messageOf } from "../message.ts";
import { secretsOf } from "../secrets.ts";
import { signedHeaders } from "../signature.ts";
import type { SendingWebhook } from "./planning-queries.ts";
import type { Due, Result } from "./sending-queries.ts";
import { LOST, verdictOn } from "./verdict.ts";

/** Posts a delivery once. Null if no request was made. */
export async function postDelivery(
  { receivers, keyring }: Pick<Deps, "receivers" | "keyring">,
  job: Job,
  webhook: SendingWebhook,
  delivery: Due,
): Promise<Result | null> {
  const message = messageOf(delivery, job.subject);
  if (message === null) return { delivery, verdict: LOST, ms: 0 };
  const signed = signedHeaders(secretsOf(webhook, { keyring, tenant: job.tenant }), {
    ...message,
    seconds: Math.floor(now() / 1_000),
  });
  const begunAt = steady();
  const exchange = await receivers.exchange({
    method: "POST",
    url: new URL(webhook.url),
    headers: { "content-type": "application/json", "user-agent": "Liaison", ...signed },
    body: message.body,
    isBodyIgnored: true,
    signal: job.signal,
    notAfter: job.heldUntil,
  });
  const verdict = verdictOn(exchange, delivery.attempts + 1);
  if (verdict === null) return null;
  deliveryTallies.note(["webhook", verdict.state]);
  return { delivery, verdict, ms: steady() - begunAt };
}
