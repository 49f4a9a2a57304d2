import { FIND_ALIKE_JOB, findAlikeJob } from "./customers/alike/find-alike.ts";
import { PURGE_VALUES_JOB } from "./customers/custom-fields/custom-field-queries.ts";
import { COUNT_VALUES_JOB, countCommonValues } from "./customers/custom-fields/kept-counts.ts";
import { purgeValues } from "./customers/custom-fields/purge-values.ts";
import { digestMails, planDigests } from "./desk/digest/daily-digest.ts";
import { PLAN_DIGESTS_JOB } from "./desk/digest/digest-queries.ts";
import { invoiceMailNotes, invoiceMails } from "./desk/invoice-pages/mail-invoice.ts";
import { forgetImportJob, runImport } from "./exchange/imports/import-job.ts";
import { FORGET_JOB, IMPORT_JOB } from "./exchange/imports/import.ts";
import { FORGET_STATISTICS_JOB } from "./exchange/personal-data/erase-contact-queries.ts";
import { forgetStatistics } from "./exchange/personal-data/forget-statistics.ts";
import { FORGET_DELIVERIES_JOB, forgetDeliveries } from "./exchange/webhooks/forget-deliveries.ts";
import { followNews } from "./exchange/webhooks/sending/follow-news.ts";
import { sendWebhook } from "./exchange/webhooks/sending/send-webhook.ts";
import { SEND_WEBHOOK_JOB } from "./exchange/webhooks/webhook-queries.ts";
import type { Deps } from "./kit/deps.ts";
import type { Kinds } from "./kit/jobs/job.ts";
import { startWorker, type Worker } from "./kit/jobs/run-jobs.ts";
import { mailJob, SEND_MAIL_JOB } from "./kit/mail/send-mail.ts";
import { forgetAnswers } from "./kit/stored-answers/forget-answers.ts";
import { FORGET_ANSWERS_JOB } from "./kit/stored-answers/forget-job.ts";
import { reminderMails, reminderReports } from "./orders/reminders/send-reminders.ts";
import { SUM_SALES_JOB, sumSalesJob } from "./orders/reports/sum-sales.ts";
import { cancelOrder } from "./orders/wms/cancelling/cancel-order.ts";
import { CANCEL_ORDER_JOB } from "./orders/wms/cancelling/cancel-queries.ts";
import { followOrders } from "./orders/wms/following/follow-orders.ts";
import { sendInvoice } from "./orders/wms/sending/send-invoice.ts";
import { linkMails } from "./people/users/invitation.ts";

/**
 * Every kind of job: its function, and how many run at once in one lane (src/kit/jobs/job.ts explains how to add one).
 */
export const jobKinds: Kinds = {
  "send-invoice": { limit: ({ wms }) => wms.concurrency, calls: true, run: sendInvoice },
  [CANCEL_ORDER_JOB]: { limit: ({ wms }) => wms.concurrency, calls: true, run: cancelOrder },
  "follow-orders": { limit: ({ wms }) => wms.concurrency, calls: true, run: followOrders },
  [IMPORT_JOB]: { limit: () => 1, run: runImport },
  [FORGET_JOB]: { limit: () => 1, run: forgetImportJob },
  [COUNT_VALUES_JOB]: { limit: () => 1, run: countCommonValues },
  [FIND_ALIKE_JOB]: { limit: () => 1, run: findAlikeJob },
  [SUM_SALES_JOB]: { limit: () => 1, run: sumSalesJob },
  [FORGET_ANSWERS_JOB]: { limit: () => 1, run: forgetAnswers },
  [FORGET_STATISTICS_JOB]: { limit: () => 1, run: forgetStatistics },
  [FORGET_DELIVERIES_JOB]: { limit: () => 1, run: forgetDeliveries },
  [SEND_MAIL_JOB]: mailJob(
    { ...linkMails, ...digestMails, ...reminderMails, ...invoiceMails },
    reminderReports,
    invoiceMailNotes,
  ),
  [PURGE_VALUES_JOB]: { limit: () => 1, run: purgeValues },
  [PLAN_DIGESTS_JOB]: { limit: () => 4, run: planDigests },
};

/** Jobs that other people's servers can delay for long: they have a separate worker. */
export const webhookKinds: Kinds = { [SEND_WEBHOOK_JOB]: { limit: () => 1, run: sendWebhook, calls: true } };

/** A job that waits for its receiver uses nothing else, so a thousand of them at once do not delay others. */
const WEBHOOK_SLOTS = 2_000;

/** Runs jobs of every kind in this process, until the signal aborts. */
export function startWorkers(deps: Deps, stop: AbortSignal): Worker {
  followNews(deps, stop);
  const workers = [
    startWorker(deps, jobKinds, { stop }),
    startWorker(deps, webhookKinds, { stop, slots: WEBHOOK_SLOTS }),
  ];
  return {
    wake() {
      for (const worker of workers) worker.wake();
    },
    ended: allEnded(workers),
  };
}

async function allEnded(workers: Worker[]): Promise<void> {
  await Promise.all(workers.map(({ ended }) => ended));
}
