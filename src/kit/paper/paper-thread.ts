import os from "node:os";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import pdfmake from "pdfmake";
import { FONT, layoutOf } from "./paper-layout.ts";
import type { Paper } from "./paper.ts";
import { isPrintable } from "./picture.ts";

// A thread of its own that makes one PDF (render-paper.ts).

/** A nice value: if processor time is short, a third of that of the thread that answers requests. */
const NICENESS = 5;

// On other systems the priority belongs to the process, not to the thread.
if (process.platform === "linux") os.setPriority(Math.max(os.getPriority(), NICENESS));

const fileOf = (face: string) => fileURLToPath(import.meta.resolve(`pdfmake/fonts/Roboto/Roboto-${face}.ttf`));
const files = { normal: fileOf("Regular"), bold: fileOf("Medium") };

pdfmake.setFonts({ [FONT]: files });
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((file) => Object.values(files).includes(file));

const paper = workerData as Paper;
const isPictured = paper.logo !== null && isPrintable(Buffer.from(paper.logo, "base64"));
const pdf = await pdfmake.createPdf(layoutOf(isPictured ? paper : { ...paper, logo: null })).getBuffer();
// A copy of its own memory, which moves to the other thread.
const bytes = new Uint8Array(pdf);
parentPort?.postMessage(bytes, [bytes.buffer]);
