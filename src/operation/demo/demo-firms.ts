import { romanianTaxId } from "../../customers/companies/odd-tax-id.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { DEMO_LEAVER, type DemoCompany } from "./demo-data.ts";
import { demoTable, type DemoRow } from "./demo-table.ts";

const FIRMS = 47;
const USERS = 3;
const NORTH = "nord.depozit.example";
const SOUTH = "sud.depozit.example";
const MONTHS = ["2025-12", ...Array.from({ length: 11 }, (_, month) => `2026-${String(month + 1).padStart(2, "0")}`)];
const LAST_MONTH = MONTHS.length - 1;

/**
 * More firms beside those of demo-data.ts, with a year of business, to fill lists, histories and searches. They are
 * invented too, and the same in every installation.
 */
export function demoFirms(): DemoCompany[] {
  const words = Map.groupBy(demoTable("words"), ({ kind }) => kind);
  const tables = {
    towns: demoTable("towns"),
    trades: [...Map.groupBy(demoTable("goods"), ({ firm }) => firm).values()],
    wordsOf: (kind: string) => (words.get(kind) ?? []).map(({ word = "" }) => word),
  };
  return Array.from({ length: FIRMS }, (_, index) => firm(index, tables));
}

/** Two firms that somebody entered a second time: surely the one with the same phone, probably the other. */
const TWINS: Readonly<Record<number, Input>> = {
  41: {
    name: "Hotel Central Timisoara",
    tax_id: null,
    industry: "Hospitality",
    website: null,
    phone: "+40 245 555 215",
    email: "receptie@hotel-central-29.example",
    city: "Timișoara",
  },
  44: {
    name: "S.C. Alimentara Sibiu S.R.L.",
    tax_id: null,
    industry: "Retail",
    website: null,
    email: "comenzi@alimentara-sibiu.example",
    city: "Sibiu",
  },
};

/** Brașov is reserved for the first firms, which the README's tour finds. A trade has a row for each of its goods. */
type Tables = { towns: DemoRow[]; trades: DemoRow[][]; wordsOf: (kind: string) => string[] };

function firm(index: number, { towns, trades, wordsOf }: Tables): DemoCompany {
  const { town = "", county, postal_code: postalCode } = towns[index % towns.length] ?? {};
  const goods = trades[(index + Math.floor(index / towns.length)) % trades.length] ?? [];
  const [trade = {}] = goods;
  const pick = picker(index);
  const domain = `${trade.domain}-${index + 14}.example`;
  const status = pick(["active", "active", "active", "active", "prospect", "prospect", "inactive", "churned"]);
  const phone = (line: number) =>
    `+40 2${String(30 + (index % 60)).padStart(2, "0")} 555 ${String(200 + line).padStart(3, "0")}`;
  const invoices = status === "prospect" ? [] : invoicesOf(index, goods, pick);
  return {
    fields: {
      name: trade.firm?.replace("{town}", town),
      tax_id: romanianTaxId(String(200_001 + index * 37)),
      registration_number: `J${String((index % 40) + 1).padStart(2, "0")}/0${300 + index}/20${10 + (index % 15)}`,
      industry: trade.industry,
      website: `https://${domain}`,
      phone: phone(index),
      email: `office@${domain}`,
      address: `Strada Depozitului ${index + 3}`,
      city: town,
      county,
      postal_code: postalCode,
      status: status === "prospect" || index % 2 === 1 ? status : "prospect",
      employee_count: 5 + ((index * 17) % 180),
      callback_date: index % 4 === 0 ? `2026-12-${String((index % 27) + 1).padStart(2, "0")}` : null,
      ...TWINS[index],
    },
    since: `${MONTHS[index % 9]}-${String(1 + (index % 25)).padStart(2, "0")}T07:${String(10 + (index % 50))}:00Z`,
    changes: changesOf(index, status, wordsOf("remark"), pick),
    ...(index % 20 === 19 ? { owner: DEMO_LEAVER } : index % 5 === 4 ? {} : { owner: index % USERS }),
    contacts: Array.from({ length: 1 + (index % 3) }, (_, place) => {
      const [first, last] = [pick(wordsOf("first_name")), pick(wordsOf("last_name"))];
      return {
        first_name: first,
        last_name: last,
        email: `contact${place + 1}@${domain}`,
        mobile: `+40 72${index % 10} 555 ${String(300 + index * 3 + place).padStart(3, "0")}`,
        position: pick(wordsOf("position")),
        is_primary: place === 0,
        is_decision_maker: place === 0 && index % 2 === 0,
      };
    }),
    addresses: [
      {
        type: "delivery",
        label: "Warehouse",
        address: `Strada Depozitului ${index + 3}`,
        city: town,
        county,
        postal_code: postalCode,
        is_default: true,
      },
    ],
    invoices,
    ...(index % 4 === 1
      ? {
          offers: [
            {
              number: `OF-${2_600 + index}`,
              title: "Goods for winter",
              status: "sent",
              amount: "9800",
              currency: "RON",
            },
          ],
        }
      : {}),
    ...(index % 4 === 2
      ? { deals: [{ title: "Yearly contract 2027", status: "negotiation", amount: "54000", currency: "RON" }] }
      : {}),
    ...(index % 6 === 3
      ? { tickets: [{ number: `T-${410 + index}`, title: "Box damaged on delivery", status: "open" }] }
      : {}),
  };
}

/** The later changes of a firm: it became a customer, and a user added a note. */
function changesOf(index: number, status: string, remarks: string[], pick: Pick): NonNullable<DemoCompany["changes"]> {
  const at = (later: number) =>
    `${MONTHS[Math.min((index % 9) + later, LAST_MONTH)]}-${String(26 + (index % 2))}T11:${String(10 + (index % 50))}:00Z`;
  const user = index % USERS;
  return [
    ...(status !== "prospect" && index % 2 === 0 ? [{ at: at(1), user, status }] : []),
    ...(index % 3 === 0 ? [{ at: at(2), user: (user + 1) % USERS, notes: pick(remarks) }] : []),
  ];
}

/** Two to seven invoices in the year. All but the latest are paid, and those that were sent to a warehouse arrived. */
function invoicesOf(index: number, goods: DemoRow[], pick: Pick): NonNullable<DemoCompany["invoices"]> {
  const count = 2 + (index % 6);
  return Array.from({ length: count }, (_, place) => {
    const month = LAST_MONTH - Math.floor(((count - 1 - place) * MONTHS.length) / count);
    const day = String(1 + ((index * 5 + place * 7) % 20)).padStart(2, "0");
    const issued = `${MONTHS[month]}-${day}`;
    const lines = goods
      .slice(0, 1 + ((index + place) % goods.length))
      .map(({ sku, description, price: unitPrice }, line) => {
        const price = Number(unitPrice);
        const quantity = 4 + ((index * 7 + place * 11 + line * 3) % 60);
        return {
          sku,
          description,
          quantity: String(quantity),
          unit_price: price.toFixed(2),
          cents: quantity * Math.round(price * 100),
        };
      });
    const cents = lines.reduce((sum, line) => sum + line.cents, 0);
    const isLast = place === count - 1;
    const order = 60_000 + index * 10 + place;
    const status = isLast ? pick(["issued", "issued", "draft"]) : "paid";
    return {
      number: `DMO-${issued.slice(0, 4)}-${String(1_000 + index * 8 + place)}`,
      issued_on: issued,
      due_on: `${MONTHS[month + 1] ?? "2026-12"}-28`,
      total: (cents / 100).toFixed(2),
      currency: "RON",
      status,
      lines: lines.map(({ cents: _cents, ...line }) => line),
      ...(status === "draft" || (isLast && index % 3 !== 0)
        ? {}
        : {
            wms_instance: index % 2 === 0 ? NORTH : SOUTH,
            wms_order_id: order,
            wms_order_number: `WO-${order}`,
            wms_status: isLast ? pick(["shipped", "shipped", "delivered"]) : "delivered",
            wms_synced_at: `${issued}T10:${String(10 + (index % 50))}:00.000000Z`,
          }),
    };
  });
}

type Pick = <T>(choices: readonly T[]) => T;

/** Chooses by a reproducible sequence of numbers. */
function picker(seed: number): Pick {
  let state = seed * 7_919 + 17;
  return <T>(choices: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return choices[Math.floor((state / 2_147_483_648) * choices.length)] as T;
  };
}
