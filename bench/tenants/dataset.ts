/**
 * The companies that the benchmark works on: the same ones on every machine and in every run. What the search scenarios
 * look for is in them by construction, so that "few" and "a thousand" mean the same at every size.
 */
export type TenantSeed = { slug: string; companies: number };

const COMPANIES_OF_SMALL_TENANT = 100;
/** A company in ten has orders, five each. */
export const COMPANIES_PER_ORDERING_ONE = 10;
export const ORDERS_PER_COMPANY = 5;
export const CONTACTS_PER_COMPANY = 2;
export const USERS_PER_TENANT = 10;

/** What the search scenarios send, and in how many companies of a tenant it is. */
export const SEARCHES = {
  /** In the name of 10 companies. */
  few: "zimbrul",
  /** In the name of 1,000 companies, or of all where a tenant has fewer. */
  thousand: "cetatea",
  /** In every e-mail address. */
  every: "firma",
  twoLetters: "br",
  none: "brasovcluj",
} as const;

export function tenantsOf(sizes: readonly number[], smallTenants: number): TenantSeed[] {
  const small = Array.from({ length: smallTenants }, (_, index) => ({
    slug: `small-${index + 1}`,
    companies: COMPANIES_OF_SMALL_TENANT,
  }));
  return [...sizes.map((companies) => ({ slug: slugOf(companies), companies })), ...small];
}

export function slugOf(companies: number): string {
  return `bench-${companies}`;
}

export type SeedCompany = {
  name: string;
  tax_id: string;
  registration_number: string;
  industry: string;
  website: string;
  /** In clear. */
  phone: string;
  email: string;
  address: string;
  city: string;
  county: string;
  country: string;
  postal_code: string;
  status: string;
  /** Which of the tenant's users, from 0; null: nobody. */
  owner: number | null;
  notes: string | null;
  employee_count: number;
  callback_date: string | null;
};

/** The company number `index` of a tenant of `total`. */
export function companyAt(index: number, total: number): SeedCompany {
  const random = randomFrom(index);
  const [city, county] = pickSkewed(CITIES, random());
  const trade = pickSkewed(TRADES, random());
  const word = wordAt(index, total) ?? pickSkewed(WORDS, random());
  const number = index + 1;
  const plain = withoutAccents(`${word}${number}`);
  return {
    name: `${word} ${trade} ${number} ${random() < 0.8 ? "SRL" : "SA"}`,
    tax_id: `RO${10_000_000 + number}`,
    registration_number: `J${1 + (index % 52)}/${number}/${1991 + (index % 35)}`,
    industry: trade,
    website: `https://www.${plain}.example`,
    phone: `+40 7${digits(random(), 2)} ${digits(random(), 3)} ${digits(random(), 3)}`,
    email: `office@firma-${plain}.example`,
    address: `Strada ${pickSkewed(WORDS, random())} ${1 + Math.floor(random() * 200)}`,
    city,
    county,
    country: "Romania",
    postal_code: digits(random(), 6),
    status: pickSkewed(STATUSES, random()),
    owner: random() < 0.7 ? Math.floor(random() * USERS_PER_TENANT) : null,
    notes: random() < 0.3 ? "Prefers deliveries in the morning, before ten; the ramp is behind the building." : null,
    employee_count: Math.floor(random() ** 4 * 2_000),
    callback_date: random() < 0.2 ? `2027-0${1 + (index % 9)}-1${index % 10}` : null,
  };
}

export type SeedContact = {
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  mobile: string;
  position: string;
  is_primary: boolean;
};

export function contactAt(company: number, which: number): SeedContact {
  const random = randomFrom(company * CONTACTS_PER_COMPANY + which + 0x5eed);
  const first = pickSkewed(FIRST_NAMES, random());
  const last = pickSkewed(LAST_NAMES, random());
  return {
    first_name: first,
    last_name: last,
    email: `${withoutAccents(first)}.${withoutAccents(last)}${company}@firma.example`,
    phone: `+40 2${digits(random(), 2)} ${digits(random(), 3)} ${digits(random(), 3)}`,
    mobile: `+40 7${digits(random(), 2)} ${digits(random(), 3)} ${digits(random(), 3)}`,
    position: which === 0 ? "Purchasing manager" : "Accountant",
    is_primary: which === 0,
  };
}

/** The words that the searches for few and for a thousand companies look for. */
function wordAt(index: number, total: number): string | null {
  if (index % Math.max(1, Math.floor(total / 10)) === 3) return "Zimbrul";
  if (index % Math.max(1, Math.floor(total / 1_000)) === 0) return "Cetatea";
  return null;
}

/** Earlier entries are likelier, as large cities and common names are. */
function pickSkewed<T>(values: readonly T[], random: number): T {
  return values[Math.floor(random ** 1.7 * values.length)] as T;
}

function digits(random: number, length: number): string {
  return String(Math.floor(random * 10 ** length)).padStart(length, "0");
}

function withoutAccents(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** mulberry32: numbers from 0 to 1 that depend on the seed only. */
export function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const STATUSES = ["active", "active", "prospect", "prospect", "inactive", "churned"] as const;
const CITIES = [
  ["București", "București"],
  ["Cluj-Napoca", "Cluj"],
  ["Timișoara", "Timiș"],
  ["Iași", "Iași"],
  ["Constanța", "Constanța"],
  ["Craiova", "Dolj"],
  ["Brașov", "Brașov"],
  ["Galați", "Galați"],
  ["Ploiești", "Prahova"],
  ["Oradea", "Bihor"],
  ["Brăila", "Brăila"],
  ["Arad", "Arad"],
  ["Pitești", "Argeș"],
  ["Sibiu", "Sibiu"],
  ["Bacău", "Bacău"],
  ["Târgu Mureș", "Mureș"],
  ["Baia Mare", "Maramureș"],
  ["Buzău", "Buzău"],
  ["Botoșani", "Botoșani"],
  ["Satu Mare", "Satu Mare"],
  ["Suceava", "Suceava"],
  ["Drobeta-Turnu Severin", "Mehedinți"],
  ["Alba Iulia", "Alba"],
  ["Turda", "Cluj"],
] as const;
const TRADES = [
  "Construct",
  "Transport",
  "Distribuție",
  "Agro",
  "Mobilă",
  "Textil",
  "Alimentar",
  "Auto",
  "Metal",
  "Farma",
  "Soft",
  "Ambalaje",
] as const;
const WORDS = [
  "Carpați",
  "Dacia",
  "Dunărea",
  "Transilvania",
  "Bucegi",
  "Moldova",
  "Ardealul",
  "Oltenia",
  "Banat",
  "Maramureș",
  "Dobrogea",
  "Făgăraș",
  "Vrancea",
  "Retezat",
  "Luceafărul",
  "Steaua",
  "Albatros",
  "Prietenia",
  "Unirea",
  "Izvorul",
] as const;
const FIRST_NAMES = [
  "Andrei",
  "Maria",
  "Ioana",
  "Alexandru",
  "Elena",
  "Mihai",
  "Ana",
  "Ștefan",
  "Cristina",
  "Radu",
  "Ilinca",
  "Țețu",
] as const;
const LAST_NAMES = [
  "Popescu",
  "Ionescu",
  "Pop",
  "Radu",
  "Dumitru",
  "Stan",
  "Gheorghe",
  "Rusu",
  "Munteanu",
  "Matei",
  "Șerban",
  "Lazăr",
] as const;
