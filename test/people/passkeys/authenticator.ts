import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { PageAnswer } from "../../doors/pages/visitor.ts";

/** How an authenticator answers; what is not given is as it should be. */
export type LanePolicy = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  counter?: number;
  /** The handle that is returned; null: none, as of a key that lists no accounts. */
  handle?: string | null;
  /** The attestation's format. */
  fmt?: string;
};

/** A passkey in an authenticator of the tests: it signs whatever a test wants, with its own key. */
export type TestPasskey = { id: string; handle: string; privateKey: KeyObject; counter: number };

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } };

/** The options that a page asks a browser with. */
export function optionsIn({ text }: Pick<PageAnswer, "text">): Options {
  const [, data = ""] = /data-passkey="([^"]*)"/.exec(text) ?? [];
  const plain = data
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  if (plain === "") throw new Error(`the page asks for no passkey: ${text}`);
  const { create, get } = JSON.parse(plain) as { create?: Options; get?: Options };
  return create ?? get ?? { challenge: "" };
}

/** A new passkey for the options, and the browser's answer with it. */
export function create(
  options: Options,
  origin: string,
  { isVerified = true, counter = 0, fmt = "none", ...manner }: LanePolicy = {},
): { passkey: TestPasskey; answer: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = [x, y].map((each) => Buffer.from(each, "base64url"));
  // A COSE key: kty 2, alg -7, crv 1, x, y.
  const key = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    point[0] ?? Buffer.alloc(0),
    Buffer.from([0x22, 0x58, 0x20]),
    point[1] ?? Buffer.alloc(0),
  ]);
  const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
  const data = Buffer.concat([dataOf(manner.rpId ?? options.rp?.id ?? "", isVerified, counter, 0x40), credential]);
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    cborText("fmt"),
    cborText(fmt),
    cborText("attStmt"),
    // `none` has an empty statement; `packed` by itself has `alg` and `sig`.
    fmt === "none"
      ? Buffer.from([0xa0])
      : Buffer.concat([
          Buffer.from([0xa2]),
          cborText("alg"),
          Buffer.from([0x26]),
          cborText("sig"),
          Buffer.from([0x41, 7]),
        ]),
    cborText("authData"),
    Buffer.from([0x58, data.length]),
    data,
  ]);
  const clientDataJSON = clientData("webauthn.create", manner.challenge ?? options.challenge, manner.origin ?? origin);
  const response = { clientDataJSON: encoded(clientDataJSON), attestationObject: encoded(attestation), transports: [] };
  const passkey = { id: encoded(id), handle: options.user?.id ?? "", privateKey, counter };
  return { passkey, answer: answerOf(passkey, response) };
}

/** The browser's answer by a passkey. Its counter grows unless a test says otherwise. */
export function assert(options: Options, passkey: TestPasskey, origin: string, manner: LanePolicy = {}): string {
  const counter = manner.counter ?? passkey.counter;
  const data = dataOf(manner.rpId ?? options.rpId ?? "", manner.isVerified ?? true, counter, 0);
  const clientDataJSON = clientData("webauthn.get", manner.challenge ?? options.challenge, manner.origin ?? origin);
  const signed = Buffer.concat([data, createHash("sha256").update(clientDataJSON).digest()]);
  const handle = manner.handle === undefined ? passkey.handle : manner.handle;
  return answerOf(passkey, {
    clientDataJSON: encoded(clientDataJSON),
    authenticatorData: encoded(data),
    signature: encoded(sign("sha256", signed, passkey.privateKey)),
    ...(handle !== null && { userHandle: handle }),
  });
}

function answerOf({ id }: TestPasskey, response: Record<string, unknown>): string {
  return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
}

function dataOf(rpId: string, isVerified: boolean, counter: number, more: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flags = 0x01 | (isVerified ? 0x04 : 0) | more;
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function encoded(bytes: Buffer): string {
  return bytes.toString("base64url");
}
