import { eventReferences } from "../exchange/webhooks/message-reference.ts";
import type { ApiInfo } from "../kit/openapi/reference.ts";
import { versionOf } from "../platform/version.ts";

/** The published document's texts about the API as a whole. */
export const apiInfo: ApiInfo = {
  title: "Liaison",
  version: versionOf().version,
  summary: "Companies, their contacts and addresses, and the warehouse orders that their invoices became.",
  description: `A multi-tenant customer relationship service. The API key says which tenant a request is for; what
belongs to another tenant is missing, exactly like what never existed.

Bodies are JSON, whatever the Content-Type says; a body that is not a JSON object counts as empty. Integers are also
accepted as strings of digits, booleans also as 0, 1, "0" and "1". Strings are trimmed, and empty ones become null. A
string with half of a surrogate pair (\`"\\ud800"\`) or U+0000 inside is refused.

Checks come in this order: route and method, authentication, rate limit, capability, the body's size and encoding, the
resource, the body, conflicts. Each error says which one it is in \`X-Error-Code\`. HEAD answers as GET without the body; OPTIONS answers 204 with \`Allow\`; an unknown path is a 404 \`route_unknown\` with a \`message\`.`,
  contact: { name: "The operator of this installation" },
  key:
    "`Authorization: Bearer <tenant>.<key>`: the tenant's slug and the API key, joined by a dot. A key carries capabilities " +
    "such as `companies:read`; each operation names the one that it needs, and `:write` includes `:read`.",
  events: eventReferences,
};
