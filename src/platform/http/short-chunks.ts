import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";

/** Chunks that are not counted; after them, a body's chunks must have this length on average, in bytes. */
export const FREE_CHUNKS = 300;
export const SHORT_CHUNK = 64;

const cutOff = new WeakSet<Readable>();
const CUT_OFF = Symbol("cut off");

/** Calls back if a body arrives in short chunks whose reading costs more than their content. The rest is not read. */
export function whenCutOff(body: Readable, callback: () => void): void {
  if (cutOff.has(body)) callback();
  else body.once(CUT_OFF, callback);
}

/**
 * Stops reading a body that arrives in short chunks. Chunks of one byte cost the event loop as much as requests, even
 * if the body is not read, so they are counted as they arrive. A connection whose body is not read to its end is
 * closed.
 */
export function cutShortChunksOff(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers["transfer-encoding"] === undefined) return;
  const { socket } = request;
  let count = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null): boolean => {
    if (cutOff.has(request)) return false;
    count++;
    bytes += chunk?.length ?? 0;
    const isEnough = chunk === null || count <= FREE_CHUNKS || bytes >= count * SHORT_CHUNK;
    if (isEnough) return Readable.prototype.push.call(request, chunk);
    stopReading(socket);
    cutOff.add(request);
    request.emit(CUT_OFF);
    return false;
  };
  // The connection is closed as soon as the answer is sent, because Node would then continue reading.
  response.once("finish", () => {
    if (!request.complete) socket.destroy();
  });
}

type Parser = { constructor: { kOnBody?: number }; [callback: number]: unknown };

/**
 * Node parses the 64 KiB that it has read to their end, whatever happens to the socket: ten thousand calls with a
 * buffer each. Without a callback it needs a tenth of the time. The parser gets its callback back when the connection
 * is closed, because Node reuses parsers.
 */
function stopReading(socket: Socket & { parser?: Parser | null }): void {
  socket.pause();
  const { parser } = socket;
  const onBody = parser?.constructor.kOnBody;
  if (!parser || onBody === undefined) return;
  const callback = parser[onBody];
  parser[onBody] = null;
  socket.once("close", () => (parser[onBody] = callback));
}
