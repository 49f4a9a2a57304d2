import { companyOf } from "../../../customers/companies/pages/company-of.ts";
import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { DeliveryDocument } from "../../../kit/warehouse/order-request.ts";
import type { Choice } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { listOffered, type OfferedAddress } from "../delivery-queries.ts";
import { storedLines } from "../invoice.ts";
import { deliveryWords } from "./delivery-words.ts";
import { withoutSku } from "./line-table.ts";

/** A place for goods. `id`: of an address; null for the company's own. */
export type GoodsPlace = {
  id: string | null;
  label: string | null;
  address: string | null;
  city: string | null;
  contact: string | null;
  phone: string | null;
  notes: string | null;
};

/** The places to which an invoice's goods can go. */
export type GoodsPlaces = {
  companyId: string;
  companyName: string;
  /** The place of an invoice without a chosen address. */
  byDefault: GoodsPlace;
  /** The other addresses of the company. */
  others: readonly GoodsPlace[];
};

/** The places of a company. @param chosen the id of an address that an invoice has */
export async function deliveryOf(
  { database, keyring }: Deps,
  tenant: TenantId,
  company: RowByName,
  chosen: string | null,
): Promise<GoodsPlaces> {
  const companyId = String(company.id);
  const offered = await listOffered(tenant, database, companyId, chosen);
  // As the statement sorts them, but for the chosen one.
  const first = offered.find(({ type, id }) => type === "delivery" && id !== chosen) ?? null;
  const ofChosen = offered.find(({ id }) => id === chosen) ?? null;
  const isChosenFirst = ofChosen?.type === "delivery" && (first === null || comesBefore(ofChosen, first));
  const standard = isChosenFirst ? ofChosen : first;
  const placeOf = ({ phone, contactName, ...each }: OfferedAddress): GoodsPlace => ({
    ...each,
    contact: contactName,
    phone: phone === null ? null : keyring.reveal(tenant, "addresses.phone", phone),
  });
  const { address = null, city = null, phone = null, delivery_notes: notes = null } = company;
  const own: GoodsPlace = { id: null, label: null, address: blankless(address), city, contact: null, phone, notes };
  return {
    companyId,
    companyName: company.name ?? "",
    byDefault: standard === null ? own : placeOf(standard),
    others: offered.filter((each) => each !== standard).map(placeOf),
  };
}

function comesBefore(one: OfferedAddress, other: OfferedAddress): boolean {
  if (one.isDefault !== other.isDefault) return one.isDefault;
  return Number(one.id) < Number(other.id);
}

function blankless(text: string | null): string | null {
  return text?.trim() || null;
}

/** The place of the goods of an invoice with this chosen address. */
export function placeIn({ byDefault, others }: GoodsPlaces, chosen: string | null): GoodsPlace {
  return others.find(({ id }) => id === chosen) ?? byDefault;
}

/**
 * The addresses to choose from, and the value of the chosen one; null if there is only one place. A deleted address
 * leaves the default one.
 */
export function placeChoices(
  { byDefault, others }: GoodsPlaces,
  chosen: string | null,
  language: Language,
): { choices: Choice[]; value: string } | null {
  if (others.length === 0) return null;
  const words = deliveryWords[language];
  const said = (place: GoodsPlace) => whereIn(place, language).join(", ");
  const named = chosen !== null && byDefault.id === chosen ? [byDefault, ...others] : others;
  const choices = [
    { value: "", label: words.byDefault(said(byDefault)) },
    ...named.map((place) => ({ value: place.id ?? "", label: said(place) })),
  ];
  return { choices, value: named.some(({ id }) => id === chosen) ? (chosen ?? "") : "" };
}

/** The place of an invoice's goods: what the warehouse received, otherwise what it would receive. */
export async function deliveryShown(
  deps: Deps,
  actor: Actor,
  invoice: RowByName,
  language: Language,
): Promise<Html | null> {
  const company = await companyOf(deps, { actor, params: { id: String(invoice.company_id) } });
  const delivered = deliveredLine(invoice, company.name ?? "", language);
  if (delivered !== null || invoice.wms_order_id != null) return delivered;
  const chosen = invoice.delivery_address_id ?? null;
  return placeLine(placeIn(await deliveryOf(deps, actor.tenant, company, chosen), chosen), language);
}

/** The place of an invoice's goods before it is sent, and remarks on it. */
export async function deliveryAhead(deps: Deps, actor: Actor, invoice: RowByName, language: Language): Promise<Html> {
  const company = await companyOf(deps, { actor, params: { id: String(invoice.company_id) } });
  const chosen = invoice.delivery_address_id ?? null;
  const delivery = await deliveryOf(deps, actor.tenant, company, chosen);
  const noSku = withoutSku(storedLines(invoice.lines ?? null));
  return html`${placeLine(placeIn(delivery, chosen), language)}${deliveryRemarks(delivery, chosen, language)}${noSku > 0 && skuRemark(noSku, language)}`;
}

/** The place with the person to ask for, and the notes, as texts. */
export function placeTexts(place: GoodsPlace, language: Language): { label: string; name: string; rest: string } {
  const words = deliveryWords[language];
  const person = [place.contact, place.phone].filter(Boolean).join(", ");
  const [name = "", ...others] = whereIn(place, language);
  const where = `${others.map((part) => `, ${part}`).join("")}.`;
  const notes = place.notes === null ? "" : ended(place.notes);
  const rest = [where, person !== "" && words.askFor(person), notes].filter(Boolean).join(" ");
  return { label: words.deliverTo, name, rest };
}

/** The same as a line of a page. */
export function placeLine(place: GoodsPlace, language: Language): Html {
  const { label, name, rest } = placeTexts(place, language);
  return html`<p class="delivery"><span class="muted">${label}</span> <strong>${name}</strong>${rest}</p>`;
}

function whereIn({ id, label, address, city }: GoodsPlace, language: Language): string[] {
  const parts = [label, address, city].filter((part) => part !== null && part !== "") as string[];
  return parts.length > 0 || id !== null ? parts : [deliveryWords[language].ofCompany];
}

function ended(text: string): string {
  return /[.!?]$/u.test(text.trim()) ? text : `${text}.`;
}

/** The place of the delivery that the warehouse received; null without one. Its company is no person to ask for. */
export function deliveredPlace({ delivered_to: json = null }: RowByName, companyName: string): GoodsPlace | null {
  if (json === null) return null;
  const { name, address, city, phone, notes } = JSON.parse(json) as DeliveryDocument;
  const contact = name === companyName ? null : name;
  return { id: null, label: null, address, city, contact, phone, notes };
}

/** The same as a line. */
export function deliveredLine(invoice: RowByName, companyName: string, language: Language): Html | null {
  const place = deliveredPlace(invoice, companyName);
  return place === null ? null : placeLine(place, language);
}

/** Remarks on an invoice whose warehouse would miss its chosen address or a street. */
export function deliveryRemarks(delivery: GoodsPlaces, chosen: string | null, language: Language): Html | null {
  const words = deliveryWords[language];
  const place = placeIn(delivery, chosen);
  const isDeleted = chosen !== null && place.id !== chosen;
  const remarks = [
    isDeleted && html`${words.chosenDeleted} `,
    place.address === null &&
      html`${words.noStreet(place.city)} <a href="/companies/${delivery.companyId}/edit#address">${words.addAddress}</a> `,
  ].filter(Boolean);
  return remarks.length === 0 ? null : html`<p class="reason attention remark">${remarks}</p>`;
}

/** A remark on lines without a SKU, hidden if there are none. In a form, assets/lines.js keeps it up to date. */
export function skuRemark(lines: number, language: Language): Html {
  const words = deliveryWords[language];
  return html`<p class="reason attention remark"${lines === 0 && html` hidden`} data-no-sku>${words.linesWithoutSku} <output>${lines}</output>. ${words.onlyDescriptions}</p>`;
}
