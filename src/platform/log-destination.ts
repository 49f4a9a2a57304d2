import fs from "node:fs";
import os from "node:os";
import type { DestinationStream } from "pino";
import { now } from "./clock.ts";

/** Bytes of lines that wait to be written. Beyond them lines are dropped until all of them are written. */
const MOST_WAITING = 2 ** 20;
/** Bytes of one write. Several processes may write to one pipe, which keeps no more than this together. */
const ONE_WRITE = 4_096;
const AGAIN_MS = 100;
/** The time that the last lines have at the end of the process, where somebody reads too slowly. */
const LAST_MS = 500;

/** A place for log lines that never keeps anybody waiting and never fails: what cannot be written is dropped, and counted. */
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
 * A pipe, opened once more. All processes that inherited one descriptor share the flag that keeps its writes from blocking, and each start
 * or end of one of them resets it. A write that blocks keeps a thread, and so the process, until somebody reads.
 */
function ownDescriptorOf(fd: number): number {
  try {
    if (fs.fstatSync(fd).isFIFO()) return fs.openSync(`/dev/fd/${fd}`, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK);
  } catch {
    // It is closed, nobody reads it, or it belongs to another user: the lines go where they would have gone.
  }
  return fd;
}

function openLogDestination(fd: number): LogDestination {
  // Node makes a socket, or a pipe that could not be opened once more, non-blocking when it first looks at the stream.
  void process.stderr;
  /** The lines that wait, in pieces of one write; `bytes` is their sum, with what is under way. */
  const waiting: string[] = [];
  let bytes = 0;
  let underWay: Buffer | null = null;
  let isWriting = false;
  let dropped = 0;
  /** Of these, the lines that no line tells of yet. */
  let untold = 0;

  function add(line: string): void {
    const last = waiting.at(-1);
    bytes += Buffer.byteLength(line);
    if (last === undefined || last.length + line.length > ONE_WRITE) waiting.push(line);
    else waiting[waiting.length - 1] = last + line;
  }

  function next(): Buffer | null {
    const piece = waiting.shift();
    if (piece !== undefined) return Buffer.from(piece);
    if (untold === 0) return null;
    const told = Buffer.from(lineAbout(untold));
    untold = 0;
    bytes = told.length;
    return told;
  }

  /** Forgets what was written of the write under way. */
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
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || performance.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS / 10);
      }
    }
  });

  return {
    get dropped() {
      return dropped;
    },
    write(line) {
      if (untold > 0 || bytes + line.length > MOST_WAITING) {
        dropped++;
        untold++;
        return;
      }
      const isIdle = underWay === null;
      add(line);
      if (isIdle) writeOn();
    },
  };
}

/** As the loggers write lines, but without one: it is told whatever their levels are. */
function lineAbout(lines: number): string {
  const message = "the log could not be written for a while, and lines were dropped";
  const whose = { level: 40, time: now(), pid: process.pid, hostname: os.hostname() };
  return `${JSON.stringify({ ...whose, lines, msg: message })}\n`;
}
