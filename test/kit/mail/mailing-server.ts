import { startWorker } from "../../../src/kit/jobs/run-jobs.ts";
import { SEND_MAIL_JOB } from "../../../src/kit/mail/send-mail.ts";
import { jobKinds } from "../../../src/worker.ts";
import { startServer, type TestServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { afterFile } from "../../together.ts";
import { startMailServer, type MailServer } from "./mail-server.ts";

export const ORIGIN = "http://127.0.0.1:3000";

/** A server with mail, its mail server, and a worker that sends. */
export type Mailing = TestServer & {
  mail: MailServer;
  /** Begins to send; before that, mail waits. */
  startWorker(): void;
  /** Resolves when no mail waits to be sent now. */
  untilIdle(): Promise<void>;
  /** Has the time come that mail waits for. */
  hasten(): Promise<void>;
};

export async function startMailing(
  environment: Record<string, string> = {},
  given: MailServer | null = null,
): Promise<Mailing> {
  const mail = given ?? (await startMailServer());
  const server = await startServer({
    LIAISON_MAIL_URL: mail.url,
    LIAISON_MAIL_FROM: "Liaison <crm@example.com>",
    LIAISON_PUBLIC_URL: ORIGIN,
    LIAISON_MAIL_TIMEOUT: "60",
    LOG_LEVEL: process.env.TEST_LOG ?? "silent",
    ...environment,
  });
  const stop = new AbortController();
  const kinds = Object.fromEntries(
    Object.entries(jobKinds).filter(([kind]) => kind === SEND_MAIL_JOB || kind.includes("digest")),
  );
  let ended: Promise<void> | null = null;
  afterFile(async () => {
    stop.abort();
    await ended;
  });
  return {
    ...server,
    mail,
    startWorker() {
      ended ??= startWorker(server.deps, kinds, { stop: stop.signal, pollMs: 50 }).ended;
    },
    async untilIdle() {
      await poll("no mail that could be sent now", async () => {
        const busy = await server.sql(
          "select from jobs where kind = 'send-mail' and (state = 'running' or state = 'waiting' and run_at <= now())",
        );
        return busy.length === 0;
      });
    },
    async hasten() {
      await server.sql("update lanes set closed_until = null, failures = 0");
      await server.sql("update jobs set run_at = now() where kind = 'send-mail' and state = 'waiting'");
    },
  };
}
