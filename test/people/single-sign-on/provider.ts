import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import tls from "node:tls";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";
import { Provider } from "oidc-provider";
import { key, valid } from "../../certificates.ts";

// The name of the certificate is nord.localhost.
tls.setDefaultCACertificates([...tls.getCACertificates("default"), valid]);

export const SECRET = "secret-of-the-client-1234";

/** What the provider says of somebody. */
export type Person = {
  email?: string | undefined;
  email_verified?: boolean | undefined;
  name?: string;
  groups?: string[];
};

/** A real identity provider on loopback, with TLS. */
export type TestProvider = {
  issuer: string;
  /** Who signs in there, by subject. */
  people: Map<string, Person>;
  /** The person who signs in next. */
  person: string;
  /** Changes what the token endpoint signs; null: nothing. */
  alter: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Members of the token endpoint's answer, where `alter` is set. */
  beside: Record<string, unknown>;
  /** Takes the place of every answer; null: none. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** Requests by path, in their order. */
  asked: string[];
  /** Whether the header of a client is accepted; null: as the standard says. */
  knowsClient: ((authorization: string) => boolean) | null;
  /** Registers the callback of a workspace. */
  register(redirectUri: string): void;
  /** Another key signs from now on, and is the only one that is published. */
  rotate(): Promise<void>;
  /** A logout token, as the provider's back channel sends it. */
  logoutToken(claims: Record<string, unknown>, type?: string): Promise<string>;
  /** Whether a key signs that is not published. */
  signsWithUnpublished: boolean;
  /** Whether a person has to follow a link there; otherwise everybody is signed in at once. */
  asks: boolean;
};

type Keys = { id: string; signing: CryptoKey; own: JWK };

let made = 0;

async function newKeys(): Promise<Keys> {
  const id = `key-${++made}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { id, signing: privateKey, own: { ...(await exportJWK(privateKey)), kid: id, alg: "RS256", use: "sig" } };
}

/** @param idToken whether the ID token has the claims; otherwise only the userinfo endpoint has them */
export async function startProvider({
  idToken = true,
  method = "client_secret_basic",
}: { idToken?: boolean; method?: "client_secret_basic" | "client_secret_post" } = {}): Promise<TestProvider> {
  const redirectUris: string[] = [];
  let keys = await newKeys();
  const server = https.createServer({ key, cert: valid }, (request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `https://nord.localhost:${(server.address() as AddressInfo).port}`;
  let provider: Provider | null = null;

  const current = (): Provider => {
    if (provider !== null) return provider;
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: "liaison",
          client_secret: SECRET,
          token_endpoint_auth_method: method,
          redirect_uris: redirectUris,
          response_types: ["code"],
          grant_types: ["authorization_code"],
        },
      ],
      jwks: { keys: [keys.own] },
      cookies: { keys: ["of-tests"] },
      conformIdTokenClaims: !idToken,
      claims: { openid: ["sub", "groups", "sid"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, accountId: string) => ({
        accountId,
        claims: async () => ({ sub: accountId, ...own.people.get(accountId) }),
      }),
      loadExistingGrant: async (context: {
        oidc: { provider: Provider; session: { accountId: string }; client: { clientId: string } };
      }) => {
        const { oidc } = context;
        const grant = new oidc.provider.Grant({
          accountId: oidc.session.accountId,
          clientId: oidc.client.clientId,
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
    return provider;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?")[0] ?? "";
    own.asked.push(path);
    if (own.instead !== null) return own.instead(request, response);
    if (path === "/token" && own.knowsClient?.(request.headers.authorization ?? "") === false) {
      return void response
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify({ error: "invalid_client" }));
    }
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    if (path.startsWith("/interaction/")) return await interact(request, response);
    if (path === "/token" && (own.alter !== null || own.signsWithUnpublished)) {
      await resign(response, own.alter ?? ((claims) => claims));
    }
    current().callback()(request, response);
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (own.asks && !(request.url ?? "").endsWith("?yes")) {
      response.setHeader("content-type", "text/html");
      response.end(
        `<!doctype html><title>Provider</title><h1>Provider</h1><a href="?yes">Continue as ${own.person}</a>`,
      );
      return;
    }
    await current().interactionFinished(request, response, { login: { accountId: own.person } });
  }

  /** The ID token with other claims, signed as before. */
  async function resign(response: ServerResponse, alter: NonNullable<TestProvider["alter"]>): Promise<void> {
    const { id, signing } = own.signsWithUnpublished ? await newKeys() : keys;
    const end = response.end.bind(response);
    response.end = ((body: string | Buffer) => {
      const tokens = JSON.parse(String(body)) as { id_token?: string };
      const [, payload = ""] = tokens.id_token?.split(".") ?? [];
      if (payload === "") return end(body);
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
      const send = async () => {
        const token = new SignJWT(alter(claims)).setProtectedHeader({ alg: "RS256", kid: id });
        const changed = JSON.stringify({ ...tokens, ...own.beside, id_token: await token.sign(signing) });
        response.setHeader("content-length", Buffer.byteLength(changed));
        end(changed);
      };
      void send();
      return response;
    }) as typeof response.end;
  }

  const own: TestProvider = {
    issuer,
    people: new Map(),
    person: "",
    alter: null,
    beside: {},
    knowsClient: null,
    instead: null,
    asked: [],
    asks: false,
    signsWithUnpublished: false,
    register(redirectUri) {
      redirectUris.push(redirectUri);
      provider = null;
    },
    async rotate() {
      keys = await newKeys();
      provider = null;
    },
    logoutToken: async (claims, type = "logout+jwt") =>
      await new SignJWT({
        iss: issuer,
        aud: "liaison",
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        ...claims,
      })
        .setProtectedHeader({ alg: "RS256", kid: keys.id, typ: type })
        .setIssuedAt()
        .setExpirationTime("2 minutes")
        .sign(keys.signing),
  };
  return own;
}
