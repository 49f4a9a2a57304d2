/** A company of the list, and the number of the company that it really is. */
export type Listed = { is: number; fields: { name: string; city?: string; tax_id?: string; phone?: string } };

const TRADES = (
  "Panificația Moara Vinăria Alimentara Băcănia Farmacia Librăria Mobila Construct Instal Electro Agro Zootehnic Avicola " +
  "Textil Confecții Tricotaje Cristal Ceramica Metal Fierăria Turnătoria Auto Pneuri Piese Transport Logistica Curier " +
  "Turism Hotel Pensiunea Cofetăria Patiseria Pescăria Măcelăria Lactate Brânzeturi Legume Fructe Florăria Grădina " +
  "Optica Dental Medica Veterinar Papetăria Tipografia Editura Informatica Sistem Energia Solar Gaz Apă Salubritate"
).split(" ");
const NAMES = (
  "Transilvană Moldova Carpați Dunărea Mureș Someș Crișana Bucovina Dobrogea Oltenia Banatul Maramureș Bârsa Ceahlău " +
  "Făgăraș Retezat Parâng Bucegi Apuseni Vrancea Steaua Luceafărul Zorile Primăvara Mărgăritar Ghiocelul Stejarul Bradul " +
  "Popescu Ionescu Dumitrescu Șerbănescu Țăranu Munteanu Ungureanu Lăzărescu Brătianu Văcărescu Grigorescu Enăchescu " +
  "Corvin Decebal Traian Burebista Mihai Ștefan Vlad Basarab Mușat Cantemir Brâncoveanu Cuza Horea Iancu"
).split(" ");
const FORMS = ["SRL", "SA", "S.R.L.", "SNC", "PFA"];
const CITIES = "Cluj-Napoca Arad Iași Timișoara Brașov Constanța Craiova Oradea Sibiu Galați Suceava Deva".split(" ");

export const COMPANIES = 1_700;
export const DUPLICATES = 300;

/**
 * 2,000 names as a firm's lists have them: 1,700 companies, 300 of them a second time as another person writes them.
 * Some of the 1,700 look like another one and are not: branches, pharmacies with a number, namesakes of another city.
 */
export function listOfNames(): Listed[] {
  const random = seeded(20_261_129);
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const companies: Listed[] = [];
  const cores = new Set<string>();
  const phone = (at: number) => `+40 72${at % 10} ${String(100_000 + at * 37).replace(/(...)$/, " $1")}`;
  while (companies.length < COMPANIES) {
    const is = companies.length;
    const previous = companies[is - 1];
    const core = `${one(TRADES)} ${one(NAMES)}`;
    const fields = { name: `${core} ${one(FORMS)}`, city: one(CITIES), phone: phone(is) };
    const taxId = random() < 0.6 ? { tax_id: `RO${1_000_003 + is * 7_919}` } : {};
    if (is % 17 === 16 && previous !== undefined) {
      // A branch with a fiscal id of its own, or of another city; a number more.
      const { name, city, tax_id } = previous.fields;
      const other = CITIES[(CITIES.indexOf(city ?? "") + 1) % CITIES.length] as string;
      if (is % 2 === 0) companies.push({ is, fields: { name, city: other, phone: phone(is) } });
      else if (tax_id !== undefined)
        companies.push({ is, fields: { name, ...(city && { city }), tax_id: `RO${90_000 + is}` } });
      else companies.push({ is, fields: { ...fields, name: `${core} ${is}`, ...taxId } });
    } else if (is % 41 === 40) {
      companies.push({ is, fields: { name: `Farmacia Tei ${is} SRL`, city: "Arad" } });
    } else if (!cores.has(core)) {
      cores.add(core);
      companies.push({ is, fields: { ...fields, ...taxId } });
    }
  }
  const twice = companies.filter(({ fields }) => cores.has(fields.name.split(" ").slice(0, 2).join(" ")));
  const second = Array.from({ length: DUPLICATES }, (_, at) =>
    again(twice[(at * 5) % twice.length] as Listed, at, random),
  );
  return shuffled([...companies, ...second], random);
}

/** The same company as somebody else writes it, with other or fewer facts. */
function again({ is, fields }: Listed, at: number, random: () => number): Listed {
  const { name, city, tax_id: taxId, phone } = fields;
  const words = name.split(" ");
  const core = words.slice(0, -1);
  const cityOrNone = random() < 0.5 && city !== undefined ? { city } : {};
  const place = Math.floor(random() * (core.join(" ").length - 2)) + 1;
  const text = core.join(" ");
  const written = [
    text,
    `S.C. ${text} S.R.L.`,
    name.normalize("NFD").replaceAll(/\p{M}/gu, ""),
    name.toUpperCase(),
    `${core.toReversed().join(" ")} SRL`,
    `${text.slice(0, place)}${text.slice(place + 1)} SRL`,
    `${text.slice(0, place)}${text[place + 1] ?? ""}${text[place] ?? ""}${text.slice(place + 2)} SRL`,
    `${core.join("-")} Srl`,
  ];
  const known = [{}, phone === undefined ? {} : { phone: phone.replace("+40 ", "0").replaceAll(" ", "") }, {}][at % 3];
  const sameId = at % 9 === 8 && taxId !== undefined ? { tax_id: ` ${taxId.slice(2)} ` } : {};
  return { is, fields: { name: written[at % written.length] as string, ...cityOrNone, ...known, ...sameId } };
}

function shuffled<T>(items: T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Numbers from 0 to below 1, the same for each seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
