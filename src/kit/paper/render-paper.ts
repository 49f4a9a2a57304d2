import { Worker } from "node:worker_threads";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { Overloaded } from "../../platform/sharing/overloaded.ts";
import type { Deps } from "../deps.ts";
import type { Paper } from "./paper.ts";

/** An invoice with 500 lines of the longest texts takes four seconds and half of the memory. */
const TIME_LIMIT_MS = 60_000;
const MEMORY_MB = 256;

/**
 * A paper as a PDF, made in a thread of its own that ends with it: a paper that takes too long or too much memory ends
 * nothing else, and an idle process has neither the thread nor its memory. Throws Overloaded if it cannot be made now.
 * @param read the paper, once it is its turn: papers that wait would take the memory of others
 */
export async function renderPaper(
  { sharing, database, logger }: Deps,
  tenant: TenantId,
  read: () => Promise<Paper>,
): Promise<{ paper: Paper; pdf: Buffer }> {
  const make = async () => {
    const paper = await read();
    // A picture that the library cannot read is left out.
    for (const each of paper.logo === null ? [paper] : [paper, { ...paper, logo: null }]) {
      try {
        return { paper, pdf: await renderNow(each) };
      } catch (error) {
        logger.warn({ err: error, tenant, hasLogo: each.logo !== null }, "a paper could not be made");
      }
    }
    throw new Overloaded("a paper could not be made");
  };
  return await sharing.places.papers.use(tenant, make, database.caller);
}

async function renderNow(paper: Paper): Promise<Buffer> {
  const thread = new Worker(new URL("paper-thread.ts", import.meta.url), {
    workerData: paper,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
  });
  const timer = setTimeout(() => void thread.terminate(), TIME_LIMIT_MS);
  try {
    return await new Promise((done, fail) => {
      thread.on("message", (pdf: Uint8Array) => done(Buffer.from(pdf.buffer)));
      thread.on("error", fail);
      thread.on("exit", () => fail(new Error("the thread ended without a PDF")));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
