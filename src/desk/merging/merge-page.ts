import { listAlikeOf } from "../../customers/alike/alike-pair-queries.ts";
import { evidenceIn } from "../../customers/alike/evidence-words.ts";
import { catchUp } from "../../customers/alike/find-alike.ts";
import { companyLabels, companyStatuses } from "../../customers/companies/company-words.ts";
import { mergedCompanies, type MergedQueries } from "../../customers/companies/merged-queries.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { childMembers } from "../../customers/company-children/child-json.ts";
import { childReads } from "../../customers/company-children/child-reads.ts";
import { childOf } from "../../customers/company-children/pages/noun.ts";
import { contactLabels } from "../../customers/contacts/contact-words.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { contactNoun } from "../../customers/contacts/pages/contact-noun.ts";
import { customContent } from "../../customers/custom-fields/custom-inputs.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { merge } from "../../exchange/merging/merge.ts";
import { mergeableCompany, mergeableContact, type MergeableNoun } from "../../exchange/merging/mergeable-noun.ts";
import type { ValueChoice } from "../../exchange/merging/merged-values.ts";
import type { Deps } from "../../kit/deps.ts";
import { errors } from "../../kit/errors.ts";
import { fieldValue } from "../../kit/web/field-value.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { day, listOf, type Language } from "../../kit/web/language.ts";
import { marked } from "../../kit/web/mark.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { isCustom } from "../../platform/fields/custom.ts";
import type { Field, FieldTable } from "../../platform/fields/fields.ts";
import { membersReader, type RowByName } from "../../platform/fields/reader.ts";
import { isSearchable } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import { alikeWords } from "../alike/alike-words.ts";
import { findCompanies } from "../find/find-queries.ts";
import { countMoving, newerByField } from "./merge-page-queries.ts";
import { countsIn, mergeWords } from "./merge-words.ts";

/** Those in the list of a search. */
const MOST = 10;
/** The name of a field's choice in the form. */
const CHOICE = "choice-";

type Candidate = { id: string; name: string; beside: (string | null | undefined)[] };

/** The properties of a noun for the pages of its merges. */
type Merging = {
  noun: MergeableNoun;
  /** Finds what a merged one went into. */
  into: MergedQueries["into"] | undefined;
  /** Throws resourceMissing. */
  find(deps: Deps, actor: PageRequest["actor"], id: string): Promise<RowByName>;
  nameOf(row: RowByName): string;
  label(name: string, language: Language): string;
  value(field: Field, row: RowByName, language: Language): Content;
  /** The heading of the others: of a search, or of those that are proposed without one. */
  found(search: string, language: Language): string;
  /** Those that it may be the same as. */
  others(deps: Deps, request: PageRequest, kept: RowByName, search: string): Promise<Candidate[]>;
};

const companies: Merging = {
  noun: mergeableCompany,
  into: mergedCompanies.into,
  find: async (deps, actor, id) => await companyOf(deps, { actor, params: { id } }),
  nameOf: ({ name }) => name ?? "",
  label: (name, language) => companyLabels[language][name as keyof (typeof companyLabels)["en"]],
  value({ name }, company, language) {
    const value = company[name] ?? "";
    if (name === "status") return companyStatuses[language][value] ?? value;
    if (name === "assigned_to") return company.owner ?? `#${value}`;
    return name === "callback_date" ? day(language, value) : value;
  },
  found: (search, language) => (search === "" ? alikeWords[language].title : mergeWords[language].of.company.found),
  async others(deps, request, kept, search) {
    if (search === "") return await proposed(deps, request, String(kept.id));
    const { tenant } = request.actor;
    const found = isSearchable(search) ? await findCompanies(tenant, deps.database, search, MOST + 1) : [];
    return found.map(({ id, name, beside, more }) => ({ id, name, beside: [more, beside] }));
  },
};

/** Companies that look the same as one: the usual reason for a merge. */
async function proposed(deps: Deps, { actor, language }: PageRequest, kept: string): Promise<Candidate[]> {
  await catchUp(deps, actor.tenant, 1);
  const pairs = await listAlikeOf(actor.tenant, deps.database, kept, MOST);
  return pairs.map(({ companies: [one, other], evidence }) => {
    const { id, name, tax_id: taxId, city } = String(one.id) === kept ? other : one;
    const same = `${alikeWords[language].same}: ${evidenceIn(language, evidence)}`;
    return { id: String(id), name, beside: [taxId, city, same] };
  });
}

const findContact = childOf(contactNoun);
const contactReads = childReads(contact).ofCompany;
const readContact = membersReader(childMembers(contact));

const contacts: Merging = {
  noun: mergeableContact,
  into: contact.merged?.into,
  find: async (deps, actor, id) => (await findContact(deps, { actor, params: { id } })).row,
  nameOf: contactNoun.title,
  label: (name, language) => contactLabels[language][name as keyof (typeof contactLabels)["en"]],
  found: (_search, language) => mergeWords[language].of.contact.found,
  // Without links: a click chooses.
  value: (field, row, language) =>
    field.kind === "boolean" || field.name === "preferred_language"
      ? fieldValue(field, row[field.name] ?? null, language, contactNoun.values)
      : (row[field.name] ?? ""),
  async others({ database, keyring }, { actor: { tenant }, query }, kept) {
    const filters = contactReads.parse(query);
    const narrowing = filters && { parent: String(kept.company_id), filters };
    const found =
      narrowing && (await contactReads.page(tenant, database, narrowing, { page: 1, perPage: MOST + 1, offset: 0 }));
    const rows = (found?.rows ?? []).map((row) => readContact(row, { keyring, tenant }));
    return rows.map((row) => {
      const { id, position, job_title: title, email, mobile, phone } = row;
      return { id: String(id), name: contactNoun.title(row), beside: [position ?? title, email, mobile ?? phone] };
    });
  },
};

/** The pages of the merges of a noun. GET: choose the other one, then see both side by side. */
function mergingPages(of: Merging): { ask: Page; merge: Page } {
  return {
    async ask(deps, request) {
      const done = await keptBefore(of, deps, request);
      if (done !== null) return done;
      const { actor, params, query } = request;
      const kept = await of.find(deps, actor, params.id ?? "");
      const other = query.get("with") ?? "";
      if (!isId(other) || other === kept.id) return await pickPage(of, deps, request, kept);
      const from = await of.find(deps, actor, other);
      return await bothPage(of, deps, request, { kept, from }, { status: 200, problem: null });
    },

    async merge(deps, request) {
      const { actor, form, params, query, language } = request;
      const { noun } = of;
      const done = await keptBefore(of, deps, request);
      if (done !== null) return done;
      const kept = await of.find(deps, actor, params.id ?? "");
      const other = query.get("with") ?? "";
      const from = await of.find(deps, actor, other);
      const { fields } = await customTable(actor.tenant, deps.database, noun.type);
      const choices = Object.fromEntries(
        [...noun.fields, ...fields].flatMap(({ name }): [string, ValueChoice][] => {
          const choice = form.get(`${CHOICE}${name}`);
          return choice === "keep" || choice === "from" ? [[name, choice]] : [];
        }),
      );
      const id = String(kept.id);
      const outcome = await merge(deps, actor, noun, { kept: id, from: other, choices, expected: null });
      if (outcome.outcome === "merged") {
        const numbers = Object.entries(outcome.moved).map(([kind, count]) => [kind, String(count)]);
        const values = { ...Object.fromEntries(numbers), id: outcome.mergeId, from: of.nameOf(from) };
        return { to: `/${noun.table}/${id}`, notice: notice("merged", values) };
      }
      if (outcome.outcome === "missing") throw errors.resourceMissing(noun.model, id);
      const words = mergeWords[language];
      const problem = words.of[noun.type].refused;
      return await bothPage(of, deps, request, { kept, from }, { status: 422, problem });
    },
  };
}

/** A redirect to the kept one if the other is merged already: the button was pressed twice. Null otherwise. */
async function keptBefore({ noun, into }: Merging, { database }: Deps, { actor, query }: PageRequest) {
  const other = query.get("with") ?? "";
  const kept = isId(other) ? await into?.(actor.tenant, database, other) : null;
  return kept == null ? null : { to: `/${noun.table}/${kept}` };
}

/** GET and POST /companies/{id}/merge */
export const mergeCompaniesPages = mergingPages(companies);
/** GET and POST /contacts/{id}/merge */
export const mergeContactsPages = mergingPages(contacts);

async function pickPage(of: Merging, deps: Deps, request: PageRequest, kept: RowByName): Promise<Shown> {
  const { query, language } = request;
  const { table, type } = of.noun;
  const { [type]: words } = mergeWords[language].of;
  const search = query.get("search") ?? "";
  const others = (await of.others(deps, request, kept, search)).filter(({ id }) => id !== kept.id).slice(0, MOST);
  const title = words.pickTitle(of.nameOf(kept));
  const path = `/${table}/${kept.id}/merge`;
  const terms = search.split(/\s+/, 5).filter(Boolean);
  const main = html`${backTo(of, kept)}
<header class="heading"><h1>${title}</h1></header>
<form class="search" role="search" action="${path}" data-live="others" data-opens>
<label class="hidden" for="search">${words.pick}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${words.pickHint}" autocomplete="off" maxlength="255" autofocus>
<button class="hidden">${mergeWords[language].find}</button>
</form>
<div class="found" id="others">${
    others.length > 0
      ? html`<ul aria-label="${of.found(search, language)}">${others.map(
          ({ id, name, beside }) =>
            html`<li><a href="${path}?with=${id}"><span>${marked(name, terms)}</span> <small>${beside.filter((each) => each != null).join(" · ")}</small></a></li>`,
        )}</ul>`
      : html`<p class="empty">${words.none(search)}</p>`
  }</div>`;
  return { title, area: "companies", main };
}

function backTo(of: Merging, kept: RowByName): Html {
  return html`<a class="back" href="/${of.noun.table}/${kept.id}">${icon("back")}${of.nameOf(kept)}</a>`;
}

/** The one that stays, and the one that goes into it. */
type Two = { kept: RowByName; from: RowByName };

async function bothPage(
  of: Merging,
  deps: Deps,
  { actor, language }: PageRequest,
  two: Two,
  { status, problem }: { status: number; problem: string | null },
): Promise<Shown> {
  const { kept, from } = two;
  const [id, other] = [String(kept.id), String(from.id)];
  const { table, type } = of.noun;
  const [moving, newer, custom] = await Promise.all([
    countMoving[type](actor.tenant, deps.database, other),
    newerByField(actor.tenant, deps.database, other, id, type),
    customTable(actor.tenant, deps.database, type),
  ]);
  const { differing, filled, hasBothNotes } = comparisonOf([...of.noun.fields, ...custom.fields], two);
  const words = mergeWords[language];
  const ofNoun = words.of[type];
  const what = countsIn(moving, language);
  const title = words.title(of.nameOf(from), of.nameOf(kept));
  const orders = moving.orders ?? 0;
  const labels = filled.map((field) => labelOf(of, field, language));
  const main = html`${backTo(of, kept)}
<header class="heading"><h1>${title}</h1>
<a class="button" href="/${table}/${other}/merge?with=${id}">${words.swap(of.nameOf(from))}</a></header>
${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
<p>${what === "" ? ofNoun.movesNothing : ofNoun.moves(what)} ${orders > 0 && words.orders(orders)}</p>
${labels.length > 0 && html`<p>${ofNoun.filled(listOf(language, labels, labels.length))}</p>`}
${hasBothNotes && html`<p>${words.notes}</p>`}
<form method="post" action="/${table}/${id}/merge?with=${other}">
${differing.length > 0 && html`<h2>${words.differ}</h2>${differing.map((field) => choice(of, field, two, newer.get(field.name), language))}`}
<p class="hint">${words.undoable}</p>
<p class="actions"><button class="main">${words.submit}</button><a class="button" href="/${table}/${id}">${shellWords[language].cancel}</a></p></form>`;
  return { status, title, area: "companies", main };
}

/** The fields in which two differ, and those of which only the one that goes has a value. Notes are beside them. */
function comparisonOf(fields: FieldTable, { kept, from }: Two) {
  const has = (row: RowByName, name: string) => (row[name] ?? null) !== null;
  const shown = fields.filter(({ name }) => name !== "notes" && has(from, name));
  return {
    differing: shown.filter(({ name }) => has(kept, name) && kept[name] !== from[name]),
    filled: shown.filter(({ name }) => !has(kept, name)),
    hasBothNotes: has(kept, "notes") && has(from, "notes"),
  };
}

/** The two values of a field. The newer one is proposed; if neither is known to be, the kept one. */
function choice(of: Merging, field: Field, { kept, from }: Two, newer: string | undefined, language: Language): Html {
  const proposed: ValueChoice = newer === from.id ? "from" : "keep";
  const option = (value: ValueChoice, row: RowByName) =>
    html`<div><label class="choice"><input type="radio" name="${CHOICE}${field.name}" value="${value}"${value === proposed && html` checked`}> ${valueOf(of, field, row, language)} <small class="muted">${of.nameOf(row)}${row.id === newer && html` · ${mergeWords[language].newer}`}</small></label></div>`;
  return html`<fieldset><legend>${labelOf(of, field, language)}</legend>
${option("keep", kept)}
${option("from", from)}</fieldset>`;
}

function labelOf(of: Merging, field: Field, language: Language): string {
  return isCustom(field) ? field.label : of.label(field.name, language);
}

function valueOf(of: Merging, field: Field, row: RowByName, language: Language): Content {
  return isCustom(field) ? customContent(field, row[field.name] ?? null, language) : of.value(field, row, language);
}
