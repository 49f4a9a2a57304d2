import { DIGEST_PHONES_JOB, digestPhones } from "./encryption/digest-phones.ts";
import { forgetImportJob, runImport } from "./imports/import-job.ts";
import { FORGET_JOB, IMPORT_JOB } from "./imports/import.ts";
import type { Kinds } from "./jobs/job.ts";
import { FORGET_ANSWERS_JOB, forgetAnswers } from "./kept-answers/forget-answers.ts";
import { followOrders } from "./wms/following/follow-orders.ts";
import { sendInvoice } from "./wms/sending/send-invoice.ts";

/** Every kind of job on one page: what runs it, and how many run at once in one lane (src/jobs/job.ts says how to add one). */
export const kinds: Kinds = {
  "send-invoice": { limit: ({ wms }) => wms.concurrency, calls: true, run: sendInvoice },
  "follow-orders": { limit: ({ wms }) => wms.concurrency, calls: true, run: followOrders },
  [IMPORT_JOB]: { limit: () => 1, run: runImport },
  [FORGET_JOB]: { limit: () => 1, run: forgetImportJob },
  [FORGET_ANSWERS_JOB]: { limit: () => 1, run: forgetAnswers },
  [DIGEST_PHONES_JOB]: { limit: () => 1, run: digestPhones },
};
