import fs from "node:fs";
import os from "node:os";
import type { DestinationStream } from "pino";
import { now } from "./clock.ts";
import { errorCode } from "./error-code.ts";

/** The most bytes of waiting lines. Beyond them, lines are dropped until all are written. */
const MOST_WAITING = 2 ** 20;
/** Bytes of one write. Several processes may write to one pipe, which writes no more than this atomically. */
const ONE_WRITE = 4_096;
const AGAIN_MS = 100;
/** The time for the last lines at the end of the process, if their reader is too slow. */
const LAST_MS = 500;

/**
 * A destination for log lines that never blocks and never fails: lines that cannot be written are dropped and counted.
 */
export type LogDestination = DestinationStream & { readonly dropped: number };

let destination: LogDestination | null = null;

/** Standard error, shared by all loggers of the process. */
export function standardError(): LogDestination {
  return (destination ??= openLogDestination(ownDescriptorOf(2)));
}

/** The number of log lines that this process has dropped. */
export function droppedLines(): number {
  return destination?.dropped ?? 0;
}

/**
 * A descriptor of this process alone for an inherited pipe. Processes share the flag of an inherited descriptor that
 * keeps writes from blocking, and each start or end of a process resets it. A blocked write keeps a thread, and so
 * the process.
 */
function ownDescriptorOf(fd: number): number {
  try {
    if (fs.fstatSync(fd).isFIFO()) return fs.openSync(`/dev/fd/${fd}`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    // It is closed, without a reader, or of another user: the inherited descriptor stays in use.
  }
  return fd;
}

function openLogDestination(fd: number): LogDestination {
  // Node makes a stream non-blocking when it is first read. Otherwise a full pipe would block a thread for ever, and
  // delay the end.
  void process.stderr;
  /** The waiting lines, in pieces of one write; `bytes` is their sum, including the write in flight. */
  const waiting: string[] = [];
  let bytes = 0;
  let underWay: Buffer | null = null;
  let isWriting = false;
  let dropped = 0;
  /** The dropped lines that no log line has reported yet. */
  let unreported = 0;

  function add(line: string): void {
    const last = waiting.at(-1);
    bytes += Buffer.byteLength(line);
    if (last === undefined || last.length + line.length > ONE_WRITE) waiting.push(line);
    else waiting[waiting.length - 1] = last + line;
  }

  function next(): Buffer | null {
    const piece = waiting.shift();
    if (piece !== undefined) return Buffer.from(piece);
    if (unreported === 0) return null;
    const report = Buffer.from(lineAbout(unreported));
    unreported = 0;
    bytes = report.length;
    return report;
  }

  /** Removes the bytes that the current write has written. */
  function written(count: number): void {
    bytes -= count;
    underWay = underWay === null || count === underWay.length ? null : underWay.subarray(count);
  }

  function writeOn(): void {
    underWay ??= next();
    if (underWay === null) return;
    isWriting = true;
    fs.write(fd, underWay, (error, count) => {
      isWriting = false;
      if (error === null) {
        written(count);
        writeOn();
      } else setTimeout(writeOn, AGAIN_MS).unref();
    });
  }

  process.on("exit", () => {
    const deadline = performance.now() + LAST_MS;
    if (isWriting) underWay = null;
    while ((underWay ??= next()) !== null) {
      try {
        written(fs.writeSync(fd, underWay));
      } catch (error) {
        if (errorCode(error) !== "EAGAIN" || performance.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS / 10);
      }
    }
  });

  return {
    get dropped() {
      return dropped;
    },
    write(line) {
      if (unreported > 0 || bytes + line.length > MOST_WAITING) {
        dropped++;
        unreported++;
        return;
      }
      const isIdle = underWay === null;
      add(line);
      if (isIdle) writeOn();
    },
  };
}

/** A line in the loggers' format, made without a logger: it is written whatever their levels. */
function lineAbout(lines: number): string {
  const message = "the log could not be written for a while, and lines were dropped";
  const whose = { level: 40, time: now(), pid: process.pid, hostname: os.hostname() };
  return `${JSON.stringify({ ...whose, lines, msg: message })}\n`;
}
