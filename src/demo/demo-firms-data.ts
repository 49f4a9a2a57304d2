/** The towns of the demo's further firms, with their counties. Brașov is left to the first firms, which the README's tour finds. */
export const towns: readonly (readonly [town: string, county: string, postalCode: string])[] = [
  ["Cluj-Napoca", "Cluj", "400001"],
  ["Iași", "Iași", "700001"],
  ["Timișoara", "Timiș", "300001"],
  ["Constanța", "Constanța", "900001"],
  ["Oradea", "Bihor", "410001"],
  ["Sibiu", "Sibiu", "550001"],
  ["Târgu Mureș", "Mureș", "540001"],
  ["Baia Mare", "Maramureș", "430001"],
  ["Ploiești", "Prahova", "100001"],
  ["Craiova", "Dolj", "200001"],
  ["Suceava", "Suceava", "720001"],
  ["Arad", "Arad", "310001"],
  ["București", "București", "010001"],
];

/** Trades: how a firm is called, its industry, and what it buys: sku, description, price of one. */
export const trades: readonly {
  firm: (town: string) => string;
  domain: string;
  industry: string;
  goods: readonly (readonly [sku: string, description: string, price: number])[];
}[] = [
  {
    firm: (town) => `Alimentara ${town} SRL`,
    domain: "alimentara",
    industry: "Retail",
    goods: [
      ["GRO-001", "Mixed groceries, pallet", 85],
      ["OIL-005", "Sunflower oil, 5 l", 41.5],
      ["FLO-025", "Flour, 25 kg", 62.9],
    ],
  },
  {
    firm: (town) => `Hotel Central ${town} SA`,
    domain: "hotel-central",
    industry: "Hospitality",
    goods: [
      ["LIN-010", "Bed linen, set", 119],
      ["SOA-200", "Soap, box of 200", 74.25],
    ],
  },
  {
    firm: (town) => `Construct ${town} SRL`,
    domain: "construct",
    industry: "Construction",
    goods: [
      ["CEM-040", "Cement, 40 kg", 27.4],
      ["BOL-008", "Bolts M8, box of 250", 58.1],
      ["PAL-080", "Pallet, 80 x 120 cm", 39],
    ],
  },
  {
    firm: (town) => `Farmacia Tei ${town} SRL`,
    domain: "farmacia-tei",
    industry: "Health",
    goods: [
      ["BAN-012", "Bandages, box of 12", 33.6],
      ["VIT-100", "Vitamin C, 100 tablets", 18.75],
    ],
  },
  {
    firm: (town) => `Mobila ${town} SRL`,
    domain: "mobila",
    industry: "Furniture",
    goods: [
      ["OAK-022", "Oak board, 22 mm", 142],
      ["VAR-010", "Varnish, 10 l", 213.8],
    ],
  },
];

export const firstNames = [
  "Ana",
  "Ion",
  "Maria",
  "Andrei",
  "Elena",
  "Vlad",
  "Ioana",
  "Radu",
  "Cristina",
  "Paul",
  "Ștefania",
  "Dan",
];
export const lastNames = [
  "Marin",
  "Țurcanu",
  "Dobre",
  "Stoica",
  "Moldovan",
  "Șerban",
  "Pavel",
  "Crișan",
  "Munteanu",
  "Lazăr",
];
export const positions = ["Purchasing manager", "Owner", "Warehouse keeper", "Accountant", "Sales manager"];
export const remarks = [
  "Wants a call before each delivery.",
  "Pays on time; asked for a longer term.",
  "Prefers deliveries before noon.",
  "New shop opens in spring.",
];
