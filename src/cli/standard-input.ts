import { Refusal } from "../platform/refusal.ts";

/** A pipe that is neither written to nor closed (a scheduler's, a test runner's) counts as no input. */
const FIRST_BYTE_MS = 5_000;
const MOST_BYTES = 8_192;

/**
 * The single line of text on standard input, without its line break; null for a terminal, or without input. Throws
 * Refusal for anything but one line of UTF-8.
 */
export async function readInputLine(): Promise<string | null> {
  const { stdin } = process;
  if (stdin.isTTY) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timeout = setTimeout(() => stdin.destroy(), FIRST_BYTE_MS);
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      clearTimeout(timeout);
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Refusal("Standard input holds more than a password.");
    }
  } catch (error) {
    // Destroying standard input causes this error, and so does an unreadable one.
    if (error instanceof Refusal) throw error;
  } finally {
    clearTimeout(timeout);
  }
  return lineIn(Buffer.concat(chunks));
}

function lineIn(bytes: Buffer): string | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("Standard input is not valid UTF-8.");
  }
  const line = text.replace(/\r?\n$/, "");
  if (/[\r\n]/.test(line)) throw new Refusal("Standard input holds more than one line.");
  return line === "" ? null : line;
}
