import { idOf, ok, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { cursorOf, positionOf } from "../../platform/http/lists/cursor.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { listAlike, sayNotAlike, takeBackNotAlike, type AlikePair } from "./alike-pair-queries.ts";
import { PLACE } from "./compare-companies.ts";
import { catchUp } from "./find-alike.ts";

const CURSORS_OF = ["alike"];
/** Before all pairs. */
const BEGINNING = [String(PLACE.sure), "0"];

/** GET /api/v1/companies/alike (docs/contract.md 6.10). */
export const listAlikeEndpoint: Endpoint = async (deps, { actor, query }) => {
  const { tenant } = actor;
  const secrets = { keyring: deps.keyring, tenant };
  const cursor = query.sent("cursor") ?? "";
  const position = cursor === "" ? BEGINNING : positionOf(cursor, secrets, CURSORS_OF);
  if (position === null) throw errors.cursorInvalid();
  const { perPage } = parsePage(query);
  if (cursor === "") await catchUp(deps, tenant);
  const pairs = await listAlike(tenant, deps.database, Number(position[0]), String(position[1]), null, perPage + 1);
  const shown = pairs.slice(0, perPage);
  const last = pairs.length > perPage ? shown.at(-1) : undefined;
  const next =
    last && cursorOf(JSON.stringify([String(last.isSure ? PLACE.sure : PLACE.probable), last.id]), secrets, CURSORS_OF);
  return ok(JSON.stringify({ data: shown.map(pairJson), next_cursor: next ?? null, per_page: perPage }));
};

function pairJson({ companies, evidence, isSure }: AlikePair): object {
  return { companies, evidence, sure: isSure };
}

function saying(say: typeof sayNotAlike, message: string): Endpoint {
  return async ({ database }, request) => {
    const { actor } = request;
    const [id, other] = [idOf("Company", request), idOf("Company", request, "other")];
    const missing = await say(actor.tenant, database, { id, other }, changedBy(actor));
    if (missing !== null) throw errors.resourceMissing("Company", missing);
    return ok(JSON.stringify({ message }));
  };
}

/** PUT /api/v1/companies/{id}/not-alike/{other}: the two are never a pair. */
export const sayNotAlikeEndpoint = saying(sayNotAlike, "The companies are not the same.");

/** DELETE /api/v1/companies/{id}/not-alike/{other}: they may be a pair again. */
export const takeBackNotAlikeEndpoint = saying(takeBackNotAlike, "The companies may be the same.");
