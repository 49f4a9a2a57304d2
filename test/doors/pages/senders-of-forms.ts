import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestServer, TestTenant } from "../../harness.ts";
import { everyPage } from "./every-page.ts";
import { operatorIn, signedIn, type Member } from "./visitor.ts";

/** From where a form comes, as a browser says it; null: it does not say. */
type Sender = { site: string | null; origin: string | null };

const senders: Sender[] = ["same-origin", "same-site", "cross-site", "none", "nonsense", null].flatMap((site) =>
  ["own", "https://evil.example", "null", "", null].map((origin) => ({ site, origin })),
);
const isOurs = ({ site, origin }: Sender) => site === "same-origin" || (site === null && origin === "own");
const ours = senders.filter(isOurs);
const foreign = senders.filter((sender) => !isOurs(sender));

/** Tests of every form: sent by our own pages it is taken, and by others refused. */
export async function testSendersOfForms(server: TestServer, tenant: TestTenant, each: "all" | "some"): Promise<void> {
  const admin = await signedIn(server, tenant, { role: "admin" });
  const operator = (await operatorIn(server)) as Member;
  const forms = everyPage().filter(({ route }) => route.method === "POST" && route.from !== "anywhere");
  for (const [at, { page, route, of, form, endsSession }] of forms.entries()) {
    const some = [ours[at % ours.length], ...[0, 1, 2].map((n) => foreign[(3 * at + n) % foreign.length])];
    test(`${page}: written from our own pages only, whatever a browser says of where it comes from`, async () => {
      const place = async () => {
        const usual = route.for === "operators" ? operator : admin;
        const who = endsSession === true ? await signedIn(server, tenant) : usual;
        return { who, path: (await of?.(tenant, who)) ?? route.path };
      };
      // What is refused leaves all as it is, and is sent to the same place: each is made by several requests.
      const refused = await place();
      for (const sender of each === "all" ? senders : some.filter((sender) => sender !== undefined)) {
        const { site, origin } = sender;
        const { who, path } = isOurs(sender) ? await place() : refused;
        const answer = await who.post(path, form, {
          ...(site === null ? {} : { "sec-fetch-site": site }),
          ...(origin === null ? {} : { origin: origin === "own" ? server.url : origin }),
        });
        assert.equal(answer.status === 403, !isOurs(sender), `${site} ${origin}: ${answer.status}`);
      }
    });
  }
}
