import type { Deps } from "../../../kit/deps.ts";
import type { SelectionAction } from "../../../kit/tables/list.ts";
import type { Selection } from "../../../kit/tables/selection.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { notice } from "../../../kit/web/notice.ts";
import { ownPath } from "../../../kit/web/own-path.ts";
import type { PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { isId } from "../../../platform/ids.ts";
import { countConnected } from "../connection/connection-queries.ts";
import { writeConnections, type ConnectionInput, type ConnectionProblem } from "../connection/connection.ts";
import { connectWords } from "./connect-words.ts";
import { connectionFields, connectionIn } from "./connection-fields.ts";

/** The companies that are connected by one press. */
const MOST_CONNECTED = 500;

type ReadIds = (deps: Deps, request: PageRequest, selection: Selection, most: number) => Promise<string[]>;

/**
 * An action of the list of companies. The first press shows what it would replace, in numbers, and a form with the ids
 * that were selected; the form connects exactly these.
 */
export function connectAction(readIds: ReadIds): SelectionAction {
  return {
    path: "connect",
    for: "admins",
    label: (language) => connectWords[language].label,
    async act(deps, request, selection) {
      const { actor, form } = request;
      const to = ownPath(form.get("to")) ?? "/companies";
      const chosen = form.get("chosen");
      if (chosen === undefined) {
        const ids = await readIds(deps, request, selection, MOST_CONNECTED + 1);
        if (ids.length === 0) return { to, notice: notice("none-chosen") };
        return await asking(deps, request, ids, { input: connectionIn(form), problems: [] });
      }
      const ids = chosen.split(",", MOST_CONNECTED).filter(isId);
      const input = connectionIn(form);
      const written = await writeConnections(deps, actor, ids, input);
      if ("problems" in written) return await asking(deps, request, ids, { input, problems: written.problems });
      const values = { count: String(written.connected), left: String(ids.length - written.connected) };
      return { to, notice: notice("companies-connected", values) };
    },
  };
}

async function asking(
  { database }: Deps,
  { actor, form, language, session }: PageRequest,
  ids: readonly string[],
  { input, problems }: { input: ConnectionInput; problems: readonly ConnectionProblem[] },
): Promise<Shown> {
  const words = connectWords[language];
  const to = ownPath(form.get("to")) ?? "/companies";
  const isTooMany = ids.length > MOST_CONNECTED;
  const { companies, own, never, underWay } = await countConnected(actor.tenant, database, ids);
  const title = isTooMany ? words.tooManyTitle(MOST_CONNECTED) : words.title(companies);
  const { timeZone } = session.workspace;
  const main = html`<a class="back" href="${to}">${icon("back")}${words.back}</a>
<header class="heading"><h1>${title}</h1></header>
${
  isTooMany
    ? html`<p>${words.tooMany} <a href="/workspace/warehouses">${words.toWorkspace}</a></p>`
    : html`<p>${words.about}</p>
${own > 0 && html`<p>${words.own(own)}</p>`}
${never > 0 && html`<p>${words.never(never)}</p>`}
${underWay > 0 && html`<p>${words.underWay(underWay)}</p>`}
<p>${words.noUndo}</p>
<form class="record" method="post" action="/companies/connect" novalidate>
<input type="hidden" name="to" value="${to}"><input type="hidden" name="chosen" value="${ids.join(",")}">
${connectionFields(null, input, problems, { language, timeZone })}
<p class="actions"><button class="main">${words.submit(companies)}</button> <a class="button" href="${to}">${shellWords[language].cancel}</a></p>
</form>`
}`;
  return { status: problems.length > 0 ? 422 : 200, title, area: "companies", main };
}
