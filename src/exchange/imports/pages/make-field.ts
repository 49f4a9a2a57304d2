import { customFieldWords } from "../../../customers/custom-fields/custom-field-words.ts";
import {
  customNouns,
  tableOfNoun,
  LABEL_MAX,
  proposedKey,
  reservedKeys,
  type CustomNoun,
} from "../../../customers/custom-fields/custom-field.ts";
import { findDefined } from "../../../customers/custom-fields/defined-field-queries.ts";
import type { Deps } from "../../../kit/deps.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { CUSTOM_FIELDS_MAX, customName } from "../../../platform/fields/custom.ts";
import { asLine, shortened, trim } from "../../../platform/text.ts";
import type { LeftOut } from "../checking/column-findings.ts";
import { folded } from "../columns/folded.ts";
import { usedFields } from "../define-made.ts";
import { rereadImport, type Import } from "../import-queries.ts";
import { kindOf } from "../kinds.ts";
import type { MadeField } from "../reading/reading.ts";
import { lookInto, namesIn } from "../store-upload.ts";
import { decisionWords } from "./decision-words.ts";
import { findingsOf } from "./outcome-tabs.ts";

/** The form's name of the column that becomes a field. */
export const MAKE = "make";

/** "Price list: not known here. [Make a field of it]" for each column without a field, and the fields made so. */
export function proposedFields(found: Import, leftOut: readonly LeftOut[], { session, language }: PageRequest): Html {
  const words = decisionWords[language];
  const kinds = customFieldWords[language].kinds;
  const said = ({ kind, options }: Pick<MadeField, "kind" | "options">) =>
    options.length === 0 ? kinds[kind] : `${kinds[kind]}: ${options.join(", ")}`;
  const mayMake = session.user.role === "admin" && nounOf(found) !== undefined && !isFull(found);
  const made = usedFields(found);
  return html`${made.map(({ label, ...field }) => html`<p class="hint">${words.newField(label, said(field))}</p>`)}${
    mayMake &&
    leftOut.map(
      ({ name, index, field }) =>
        field !== null &&
        name !== "" &&
        html`<form method="post" action="/imports/${found.id}/reading"><p class="hint">${words.notKnown(name)} <button class="link" name="${MAKE}" value="${index}">${words.makeField}<span class="hidden"> (${name})</span></button> <small>(${said(field)})</small></p></form>`,
    )
  }`;
}

/**
 * Makes a field of a column without one, of the kind that its values have, and has the file checked with it. The import
 * defines the field when it starts. Returns false if somebody else has changed or started the import meanwhile.
 */
export async function makeField(deps: Deps, request: PageRequest, found: Import): Promise<boolean> {
  const { actor, form, session } = request;
  const { tenant } = actor;
  const noun = nounOf(found);
  const { leftOut } = await findingsOf(deps, request, found);
  const column = leftOut.find(({ index }) => String(index) === form.get(MAKE));
  if (column?.field == null || noun === undefined || session.user.role !== "admin" || isFull(found)) return true;
  const file = await lookInto(deps, tenant, found.id, found.reading);
  const names = namesIn(file?.rows[0]);
  const name = names[column.index] ?? "";
  const { reading } = found;
  const made = usedFields(found);
  const known = [...(await findDefined(tenant, deps.database)), ...made].filter((field) => field.noun === noun);
  const field = { noun, ...freeName(noun, name, known), ...column.field, id: null };
  const columns = [...(reading.columns ?? names)];
  columns[column.index] = customName(field.key);
  const next = { ...reading, columns, made: [...made, field] };
  return await rereadImport(tenant, deps.database, found, { kind: found.kind, reading: next, state: "checking" });
}

function nounOf({ kind, reading }: Import): CustomNoun | undefined {
  const { table, hasCustom } = kindOf(kind).bulk;
  return hasCustom === true && !reading.namedById ? customNouns.find((noun) => tableOfNoun[noun] === table) : undefined;
}

function isFull({ custom }: Import): boolean {
  return custom.fields.length >= CUSTOM_FIELDS_MAX;
}

/** A label and a key that no other field of the noun has. */
function freeName(noun: CustomNoun, header: string, known: readonly { key: string; label: string }[]) {
  const [keys, labels] = [known.map(({ key }) => key), known.map(({ label }) => folded(label))];
  const name = trim(asLine(header));
  for (let at = 1; ; at++) {
    const label = at === 1 ? shortened(name, LABEL_MAX) : `${shortened(name, LABEL_MAX - 4)} ${at}`;
    const key = proposedKey(label) || `field_${at}`;
    const isTaken = keys.includes(key) || labels.includes(folded(label)) || reservedKeys[noun].has(key);
    if (!isTaken) return { label, key };
  }
}
