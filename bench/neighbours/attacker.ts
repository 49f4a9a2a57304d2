import { setMaxListeners } from "node:events";
import http from "node:http";
import net from "node:net";
import { giveWay } from "../load/give-way.ts";
import type { Attack, AttackedRows, AttackJob, AttackRequest, AttackResult } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { tokenBucket } from "./token-bucket.ts";

// A process of its own that attacks: it is sent one AttackJob at a time and answers with an AttackResult.

const CONNECTIONS = 16;
/** What a quick run has of each. */
const QUICK_CONNECTIONS = 4;
const QUICK_BURST = 20;
const QUICK_CRUMBS = 10_000;
const DRIP_MS = 500;
const SIP_MS = 1_000;

giveWay();
process.on("message", (job: AttackJob) => {
  void run(job).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());

async function run({ url, attack: name, rows, seconds, rate, quick }: AttackJob): Promise<AttackResult> {
  const attack = attacks.find((one) => one.name === name);
  if (attack === undefined) throw new Error(`there is no attack ${name}`);
  const connections = quick ? QUICK_CONNECTIONS : (attack.connections ?? CONNECTIONS);
  const burst = Math.min(attack.burst ?? connections, quick ? QUICK_BURST : Infinity);
  const result: AttackResult = { sent: 0, ends: {} };
  const stop = AbortSignal.timeout(1_000 * seconds);
  setMaxListeners(0, stop);
  const attacking: Attacking = {
    attack,
    rows,
    target: new URL(url),
    agent: new http.Agent({ keepAlive: true, maxSockets: connections }),
    stop,
    turn: tokenBucket(rate, burst, stop),
    note(end) {
      result.ends[end] = (result.ends[end] ?? 0) + 1;
    },
    next: () => attack.request(rows, result.sent++),
    crumbs: quick ? QUICK_CRUMBS : Infinity,
  };
  const behave = attack.manner === undefined ? askOnce : MANNERS[attack.manner];
  await Promise.all(Array.from({ length: connections }, async () => await repeat(attacking, behave)));
  attacking.agent.destroy();
  return result;
}

type Attacking = {
  attack: Attack;
  rows: AttackedRows;
  target: URL;
  agent: http.Agent;
  /** Aborted when the attack ends. */
  stop: AbortSignal;
  /** Resolves when the pace allows another request; false: the attack is over. */
  turn: () => Promise<boolean>;
  note: (end: string) => void;
  next: () => AttackRequest;
  /** Of a body, at most. */
  crumbs: number;
};

/** One connection's part. */
async function repeat(attacking: Attacking, behave: (attacking: Attacking) => Promise<void>): Promise<void> {
  while (await attacking.turn()) await behave(attacking);
}

const MANNERS = {
  "stays silent": staySilent,
  drips: drip,
  withholds: withhold,
  crumbles: crumble,
  sips: sip,
  pipelines: pipeline,
} as const;

/** Sends a request, and where the attack cancels what it uploads another one behind it. */
async function askOnce(attacking: Attacking): Promise<void> {
  const asked = attacking.next();
  const location = await ask(attacking, asked);
  if (!attacking.attack.cancels || location === undefined) return;
  const { "content-type": _, ...headers } = asked.headers ?? {};
  await ask(attacking, { method: "POST", path: `${location}/cancel`, headers });
}

/** Resolves when the request is answered, cut off or, by our own hand, closed; with where a redirect leads. */
async function ask(
  { attack, rows, target, agent, stop, note }: Attacking,
  { method, path, body, headers, token }: AttackRequest,
): Promise<string | undefined> {
  return await new Promise((resolve) => {
    let location: string | undefined;
    const authorization = `Bearer ${token ?? rows.token}`;
    const request = http.request({
      agent,
      host: target.hostname,
      port: target.port,
      method,
      path,
      headers: {
        authorization,
        ...headers,
        ...(body === undefined ? {} : { "content-length": body.length }),
      },
    });
    let end = "cut off";
    const close = (why: string) => () => {
      end = why;
      request.destroy();
    };
    const hangUp = attack.hangUp === undefined ? undefined : setTimeout(close("hung up"), attack.hangUp);
    const stopped = close("unanswered");
    stop.addEventListener("abort", stopped, { once: true });
    request.on("response", (response) => {
      if (attack.unread) return;
      location = response.headers.location;
      response.resume().on("end", () => {
        end = String(response.statusCode);
      });
    });
    request.on("error", () => {});
    request.on("close", () => {
      clearTimeout(hangUp);
      stop.removeEventListener("abort", stopped);
      note(end);
      resolve(location);
    });
    request.end(body);
  });
}

/** A connection that sends nothing. */
async function staySilent(attacking: Attacking): Promise<void> {
  attacking.next();
  await onSocket(attacking, () => {});
}

/** A request whose body never ends. */
async function drip(attacking: Attacking): Promise<void> {
  const { head, body } = wireFormOf(attacking);
  await onSocket(attacking, (socket) => {
    socket.write(head);
    let sent = 0;
    const dripping = setInterval(() => socket.write(body.subarray(sent, ++sent)), DRIP_MS);
    socket.on("close", () => clearInterval(dripping));
  });
}

/** A request that lacks the last byte of its body. */
async function withhold(attacking: Attacking): Promise<void> {
  const { head, body } = wireFormOf(attacking);
  await onSocket(attacking, (socket) => {
    socket.write(head);
    socket.write(body.subarray(0, -1));
  });
}

/** A request whose body comes in chunks of one byte each. */
async function crumble(attacking: Attacking): Promise<void> {
  const { head, body } = wireFormOf(attacking);
  const crumbs = crumbsOf(body.subarray(0, attacking.crumbs));
  await onSocket(attacking, (socket) => {
    socket.write(head.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked"));
    socket.write(crumbs);
    socket.write("0\r\n\r\n");
    socket.on("data", () => socket.destroy());
  });
}

const NOTHING: Buffer = Buffer.alloc(0);

let crumbled = { body: NOTHING, crumbs: NOTHING };

/** Kept for the next time, as bodies are. */
function crumbsOf(body: Buffer): Buffer {
  if (crumbled.body.equals(body)) return crumbled.crumbs;
  const crumbs = Buffer.from("1\r\nx\r\n".repeat(body.length));
  for (let index = 0; index < body.length; index++) crumbs[6 * index + 3] = body[index] ?? 0;
  crumbled = { body, crumbs };
  return crumbs;
}

/** A request whose answer is read, but a little at a time. */
async function sip(attacking: Attacking): Promise<void> {
  const { head, body } = wireFormOf(attacking);
  await onSocket(attacking, (socket) => {
    socket.write(head);
    socket.write(body);
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), SIP_MS);
    });
  });
}

/** As many requests as the pace allows, without waiting for answers. */
async function pipeline(attacking: Attacking): Promise<void> {
  await onSocket(attacking, async (socket) => {
    do {
      const { head, body } = wireFormOf(attacking);
      socket.write(head);
      if (body.length > 0) socket.write(body);
    } while (!socket.destroyed && (await attacking.turn()));
  });
}

/** Resolves when the connection is closed, by the server or by the end of the attack. */
async function onSocket(
  { attack, target, stop, note }: Attacking,
  use: (socket: net.Socket) => unknown,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = net.connect(Number(target.port), target.hostname);
    const stopped = () => socket.destroy();
    stop.addEventListener("abort", stopped, { once: true });
    let answered = "";
    if (!attack.unread) {
      socket.on("data", (bytes) => {
        answered ||= bytes.toString("latin1", 9, 12);
      });
    }
    socket.on("error", () => {});
    socket.on("close", () => {
      stop.removeEventListener("abort", stopped);
      note(answered || (stop.aborted ? "held to the end" : "cut off"));
      resolve();
    });
    use(socket);
  });
}

function wireFormOf({ rows, target, next }: Attacking): { head: string; body: Buffer } {
  const { method, path, body = NOTHING, token = rows.token } = next();
  const length = body.length === 0 ? "" : `Content-Length: ${body.length}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${token}\r\n${length}\r\n`;
  return { head, body };
}
