import type { Deps } from "../../../kit/deps.ts";
import type { Job } from "../../../kit/jobs/job.ts";
import { now, steady } from "../../../platform/clock.ts";
import { deliveryTallies } from "../../../platform/outbound/call-tallies.ts";
import { LAST_ANSWER } from "../delivery-queries.ts";
import { messageOf } from "../message.ts";
import { ANSWER_BYTES, receiverAnswer } from "../receiver-answer.ts";
import { secretsOf } from "../secrets.ts";
import { messageHeaders } from "../signature.ts";
import type { SendingWebhook } from "./planning-queries.ts";
import type { Due, Result } from "./sending-queries.ts";
import { isSuccess, LOST, verdictOn } from "./verdict.ts";

/** The time for the beginning of an error's body, after which the next delivery is sent. */
const ANSWER_MS = 1_000;

/** Posts a delivery once. Null if no request was made. */
export async function postDelivery(
  { database, receivers, keyring }: Pick<Deps, "database" | "receivers" | "keyring">,
  job: Job,
  webhook: SendingWebhook,
  delivery: Due,
): Promise<Result | null> {
  const message = await messageOf({ database, keyring }, job.tenant, delivery, {
    id: job.subject,
    isFull: webhook.isFull,
  });
  const { url } = webhook;
  if (message === null) return { delivery, verdict: LOST, url, ms: 0, answer: null };
  const headers = messageHeaders(secretsOf(webhook, { keyring, tenant: job.tenant }), {
    ...message,
    seconds: Math.floor(now() / 1_000),
  });
  const begunAt = steady();
  const exchange = await receivers.exchange({
    method: "POST",
    url: new URL(url),
    headers,
    body: message.body,
    excerpt: { bytes: ANSWER_BYTES, waitMs: ANSWER_MS, isWithout: isSuccess },
    signal: job.signal,
    notAfter: job.leasedUntil,
  });
  const verdict = verdictOn(exchange, delivery.attempts + 1);
  if (verdict === null) return null;
  deliveryTallies.note(["webhook", verdict.state]);
  const ms = steady() - begunAt;
  const isStored = verdict.state !== "delivered" && exchange.outcome === "answered" && !isOfPerson(delivery);
  const answer = isStored ? JSON.stringify(receiverAnswer(exchange.headers, exchange.body)) : null;
  return { delivery, verdict, url, ms, answer: answer && keyring.encrypt(job.tenant, LAST_ANSWER, answer) };
}

/** Receivers often repeat what they got. An answer about a contact would have to be erased with that person. */
function isOfPerson({ type }: Due): boolean {
  return type.startsWith("contact.");
}
