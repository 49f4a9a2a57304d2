import { randomBytes } from "node:crypto";

// A process of its own: strangers at the doors. It does not give way to the server, so the figure is rather too high.
// It is sent one StrangersJob at a time and answers with the statuses.

/** The number of requests, over all doors by turns, the connections that send them, and the networks they come from. */
export type StrangersJob = { url: string; workspace: string; requests: number; connections: number; networks: number };

/** The number of answers by door and status; 0: there was none. */
export type StrangersResult = Record<string, Record<number, number>>;

type Door = { path: string; form?: Record<string, string>; cookie?: string };

process.on("message", (job: StrangersJob) => {
  void send(job).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());

async function send({ url, workspace, requests, connections, networks }: StrangersJob): Promise<StrangersResult> {
  const cookie = await cookieOf(`${url}/sign-in/passkey`);
  const result: StrangersResult = {};
  let next = 0;
  const sendOn = async () => {
    while (next < requests) {
      const number = next++;
      const { path, ...request } = doorOf(number, workspace, cookie);
      const ends = (result[path] ??= {});
      const status = await ask(`${url}${path}`, number % networks, request);
      ends[status] = (ends[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendOn));
  return result;
}

/** Every request that a stranger can make without an account, with what costs most before it is refused. */
function doorOf(number: number, workspace: string, cookie: string): Door {
  const begin = `/sign-in/oidc/${workspace}`;
  const doors: Door[] = [
    { path: "/sign-in/passkey", form: { answer: unknownPasskey() }, cookie },
    { path: "/sign-in/passkey/account", form: { workspace, email: `nobody-${number}@example.com` } },
    { path: begin },
    { path: `${begin}/callback`, cookie: "liaison-provider=k1:AAAA" },
    { path: `${begin}/logout`, form: { logout_token: "e30.e30.e30" } },
    { path: "/sign-in/forgotten", form: { workspace, email: `nobody-${number}@example.com` } },
  ];
  return doors[number % doors.length] as Door;
}

/** An answer that looks right, so that its passkey is looked up. */
function unknownPasskey(): string {
  const id = randomBytes(32).toString("base64url");
  const response = { clientDataJSON: "AA", authenticatorData: "AA", signature: "AA", userHandle: id };
  return JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });
}

/** @param network its number */
async function ask(address: string, network: number, { form, cookie = "" }: Omit<Door, "path">): Promise<number> {
  // A network is a /24.
  const from = `10.${(network >> 8) & 255}.${network & 255}.1`;
  const headers = { "x-forwarded-for": from, "sec-fetch-site": "same-origin", accept: "text/html", cookie };
  const sent = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  try {
    const answer = await fetch(address, { redirect: "manual", headers, ...sent });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function cookieOf(address: string): Promise<string> {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
