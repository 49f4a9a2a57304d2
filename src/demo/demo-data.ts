import type { Input } from "../platform/fields/fields.ts";
import type { Values } from "../platform/fields/validation.ts";
import type { RecordKind } from "../records/record.ts";

/**
 * The companies of the demo tenant. All of it is made up: no real tax id begins with a zero, the 555 numbers are nobody's,
 * and .example is no domain. `owner` is the index in `demoUsers` of whom the company is assigned to.
 */
export type DemoCompany = {
  fields: Values;
  owner?: number;
  /** When it was created, and its contacts and addresses with it. */
  since?: string;
  /** The changes that a user (an index in `demoUsers`) made later. */
  changes?: { at: string; user: number; status?: string; notes?: string }[];
  contacts?: Values[];
  addresses?: Values[];
  invoices?: Input[];
} & Partial<Record<RecordKind, Values[]>>;

export const demoTenant = { slug: "demo", name: "Demo Distribuție SRL", country: "Romania" };

export const demoAdmin = { email: "andreea.munteanu@demo.example", name: "Andreea Munteanu", role: "admin" };

export const demoUsers = [
  demoAdmin,
  { email: "mihai.dragomir@demo.example", name: "Mihai Dragomir", role: "member" },
  { email: "ilinca.sarbu@demo.example", name: "Ilinca Sârbu", role: "member" },
];

const NORTH = "nord.depozit.example";
const SOUTH = "sud.depozit.example";

export const demoCompanies: DemoCompany[] = [
  {
    fields: {
      name: "Băcănia Transilvană SRL",
      tax_id: "RO00012345",
      registration_number: "J12/0145/2009",
      industry: "Retail",
      website: "https://bacania-transilvana.example",
      phone: "+40 264 555 011",
      email: "comenzi@bacania-transilvana.example",
      address: "Strada Memorandumului 12",
      city: "Cluj-Napoca",
      county: "Cluj",
      postal_code: "400114",
      status: "active",
      employee_count: 85,
      activity_domain: "Groceries and delicatessen",
      notes: "Orders every Monday; wants one delivery per shop.",
      delivery_notes: "Ramp 3, call ahead.",
      callback_date: "2026-11-16",
    },
    owner: 0,
    contacts: [
      {
        first_name: "Ioana",
        last_name: "Popescu",
        email: "ioana.popescu@bacania-transilvana.example",
        mobile: "+40 722 555 012",
        position: "Purchasing manager",
        department: "Purchasing",
        is_primary: true,
        is_decision_maker: true,
      },
      {
        first_name: "Ștefan",
        last_name: "Lupu",
        email: "stefan.lupu@bacania-transilvana.example",
        phone: "+40 264 555 013",
        position: "Warehouse keeper",
        department: "Logistics",
      },
    ],
    addresses: [
      { type: "fiscal", address: "Strada Memorandumului 12", city: "Cluj-Napoca", county: "Cluj", is_default: true },
      {
        type: "delivery",
        label: "Main warehouse",
        address: "Strada Depozitelor 4",
        city: "Turda",
        county: "Cluj",
        postal_code: "401105",
        contact_name: "Ștefan Lupu",
        phone: "+40 264 555 014",
        delivery_notes: "Open from 6 to 14.",
      },
    ],
    invoices: [
      {
        number: "DMO-2026-0101",
        issued_on: "2026-09-02",
        due_on: "2026-10-02",
        total: "4820.50",
        currency: "RON",
        status: "paid",
        lines: [
          { sku: "GRO-001", description: "Mixed groceries, pallet", quantity: "40", unit_price: "85.00" },
          { sku: "DEL-014", description: "Cured meat, box of 6", quantity: "30", unit_price: "47.35" },
        ],
        wms_instance: NORTH,
        wms_order_id: 51001,
        wms_order_number: "WO-51001",
        wms_status: "shipped",
        wms_synced_at: "2026-09-02T09:15:00.123456Z",
      },
      {
        number: "DMO-2026-0117",
        issued_on: "2026-10-05",
        due_on: "2026-11-04",
        total: "6120.00",
        currency: "RON",
        status: "issued",
        lines: [{ sku: "GRO-001", description: "Mixed groceries, pallet", quantity: "72", unit_price: "85.00" }],
        wms_instance: NORTH,
        wms_order_id: 51044,
        wms_order_number: "WO-51044",
        wms_status: "picking",
        wms_synced_at: "2026-10-05T12:41:09.004512Z",
      },
    ],
    deals: [{ title: "Yearly contract 2027", status: "negotiation", amount: "72000", currency: "RON" }],
  },
  {
    fields: {
      name: "Panificația Brașov SA",
      tax_id: "RO00023456",
      registration_number: "J08/0077/1998",
      industry: "Food production",
      phone: "+40 268 555 021",
      email: "achizitii@panificatia-brasov.example",
      address: "Strada Zizinului 101",
      city: "Brașov",
      county: "Brașov",
      postal_code: "500403",
      status: "active",
      employee_count: 240,
      activity_domain: "Bakery",
      managing_company: "Carpat Holding SA",
      callback_date: "2027-01-11",
    },
    owner: 1,
    contacts: [
      {
        first_name: "Răzvan",
        last_name: "Țepeș",
        email: "razvan.tepes@panificatia-brasov.example",
        phone: "+40 268 555 022",
        job_title: "Head of purchasing",
        is_primary: true,
      },
      { first_name: "Ágnes", last_name: "Szabó", mobile: "+40 744 555 023", preferred_language: "hu" },
    ],
    addresses: [
      { type: "delivery", label: "Flour silo", address: "Strada Zizinului 103", city: "Brașov", county: "Brașov" },
    ],
    invoices: [
      // From before the warehouse's host name was kept: to be confirmed by hand before anything relies on it.
      {
        number: "DMO-2024-0412",
        issued_on: "2024-04-18",
        due_on: "2024-05-18",
        total: "15300.00",
        currency: "RON",
        status: "paid",
        lines: [
          { sku: "FLR-550", description: "Wheat flour type 550, sack of 25 kg", quantity: "600", unit_price: "25.50" },
        ],
        wms_order_id: 20417,
        wms_order_number: "WO-20417",
        wms_status: "delivered",
      },
      {
        number: "DMO-2026-0122",
        issued_on: "2026-10-12",
        total: "990.00",
        currency: "RON",
        status: "issued",
        lines: [{ sku: "YST-010", description: "Fresh yeast, case", quantity: "40", unit_price: "24.75" }],
      },
    ],
    subscriptions: [
      {
        number: "SUB-0007",
        title: "Weekly flour delivery",
        status: "active",
        amount: "1200",
        currency: "RON",
        starts_on: "2026-01-01",
      },
    ],
  },
  {
    fields: {
      name: "Farmaciile Bega SRL",
      tax_id: "RO00034567",
      industry: "Pharmacy",
      phone: "+40 256 555 031",
      email: "office@farmaciile-bega.example",
      address: "Bulevardul Take Ionescu 46",
      city: "Timișoara",
      county: "Timiș",
      postal_code: "300124",
      status: "active",
      employee_count: 130,
    },
    owner: 1,
    contacts: [
      {
        first_name: "Cosmin",
        last_name: "Văcărescu",
        mobile: "+40 733 555 032",
        position: "Director",
        is_primary: true,
        is_decision_maker: true,
      },
    ],
    addresses: [
      { type: "billing", address: "Bulevardul Take Ionescu 46", city: "Timișoara", county: "Timiș", is_default: true },
    ],
    invoices: [
      {
        number: "DMO-2026-0125",
        issued_on: "2026-10-19",
        due_on: "2026-11-18",
        total: "22410.75",
        currency: "RON",
        status: "issued",
        lines: [
          { sku: "PHA-200", description: "Dressings, carton", quantity: "1500", unit_price: "14.50" },
          { description: "Cooled transport, parcel", quantity: "75", unit_price: "8.81" },
        ],
        wms_instance: SOUTH,
        wms_order_id: 51044,
        wms_order_number: "S-9001",
        wms_status: "new",
        wms_synced_at: "2026-10-19T07:02:33.500000Z",
      },
    ],
    tickets: [{ number: "T-204", title: "Two boxes arrived damaged", status: "open", starts_on: "2026-10-21" }],
  },
  {
    fields: {
      name: "Vinăria Dealu Mare SRL",
      tax_id: "RO00045678",
      industry: "Beverages",
      website: "https://vinaria-dealu-mare.example",
      email: "salut@vinaria-dealu-mare.example",
      city: "Urlați",
      county: "Prahova",
      status: "prospect",
      employee_count: 18,
      callback_date: "2026-12-08",
      notes: "Met at the Bucharest fair; interested in the seasonal list.",
    },
    owner: 2,
    contacts: [{ first_name: "Anca", last_name: "Bălan", email: "anca@vinaria-dealu-mare.example", is_primary: true }],
    offers: [
      {
        number: "OF-311",
        title: "Spring assortment",
        status: "sent",
        amount: "8400",
        currency: "RON",
        ends_on: "2026-12-31",
      },
    ],
  },
  {
    fields: {
      name: "Construcții Moldova SA",
      tax_id: "RO00056789",
      registration_number: "J22/0310/2003",
      industry: "Construction",
      phone: "+40 232 555 051",
      email: "logistica@constructii-moldova.example",
      address: "Strada Păcurari 138",
      city: "Iași",
      county: "Iași",
      postal_code: "700545",
      status: "inactive",
      employee_count: 410,
    },
    owner: 0,
    contacts: [{ first_name: "Gheorghe", last_name: "Onofrei", phone: "+40 232 555 052", position: "Site logistics" }],
    invoices: [
      {
        number: "DMO-2025-0388",
        issued_on: "2025-06-30",
        total: "54100.00",
        currency: "RON",
        status: "cancelled",
        lines: [{ sku: "CEM-040", description: "Cement, sack of 40 kg", quantity: "2000", unit_price: "27.05" }],
        wms_instance: NORTH,
        wms_order_id: 40388,
        wms_order_number: "WO-40388",
        wms_status: "cancelled",
        wms_synced_at: "2025-07-01T06:00:00.000001Z",
      },
    ],
  },
  {
    fields: {
      name: "Pescăria Tomis SRL",
      tax_id: "RO00067890",
      industry: "Food wholesale",
      phone: "+40 241 555 061",
      city: "Constanța",
      county: "Constanța",
      status: "churned",
      employee_count: 22,
      notes: "Left for a cheaper carrier in 2025.",
    },
    owner: 2,
    contacts: [{ first_name: "Elif", last_name: "Osman", mobile: "+40 755 555 062", preferred_language: "ro" }],
  },
  {
    fields: {
      name: "Mobilă de Sibiu SRL",
      tax_id: "RO00078901",
      industry: "Furniture",
      website: "https://mobila-de-sibiu.example",
      phone: "+40 269 555 071",
      email: "contact@mobila-de-sibiu.example",
      address: "Strada Ocnei 7",
      city: "Sibiu",
      county: "Sibiu",
      postal_code: "550188",
      status: "active",
      employee_count: 56,
      fiscal_address: "Strada Ocnei 7, Sibiu",
    },
    owner: 1,
    contacts: [
      {
        first_name: "Klaus",
        last_name: "Weber",
        email: "klaus.weber@mobila-de-sibiu.example",
        preferred_language: "de",
        is_primary: true,
      },
      { first_name: "Mădălina", last_name: "Crișan", mobile: "+40 766 555 072", department: "Accounting" },
    ],
    addresses: [
      { type: "office", address: "Strada Ocnei 7", city: "Sibiu", county: "Sibiu", is_default: true },
      {
        type: "delivery",
        label: "Workshop",
        address: "Strada Fabricii 2",
        city: "Cisnădie",
        county: "Sibiu",
        phone: "+40 269 555 073",
      },
    ],
    invoices: [
      {
        number: "DMO-2026-0130",
        issued_on: "2026-11-02",
        due_on: "2026-12-02",
        total: "3150.00",
        currency: "EUR",
        status: "issued",
        lines: [{ sku: "OAK-120", description: "Oak board, 120 cm", quantity: "30", unit_price: "105.00" }],
      },
      {
        number: "DMO-2026-0131",
        total: "410.00",
        currency: "EUR",
        status: "draft",
        lines: [{ sku: "OAK-200", description: "Oak board, 200 cm", quantity: "4", unit_price: "102.50" }],
      },
    ],
  },
  {
    fields: {
      name: "Autoservice Olt SRL",
      tax_id: "RO00089012",
      industry: "Automotive",
      phone: "+40 251 555 081",
      city: "Craiova",
      county: "Dolj",
      status: "prospect",
      employee_count: 9,
    },
    contacts: [
      {
        first_name: "Florin",
        last_name: "Stănescu",
        mobile: "+40 721 555 082",
        is_primary: true,
        is_decision_maker: true,
      },
    ],
    deals: [{ title: "Spare parts, first order", status: "new", amount: "5600", currency: "RON" }],
  },
  {
    fields: {
      name: "Hotel Bucegi Panoramic SA",
      tax_id: "RO00090123",
      industry: "Hospitality",
      email: "aprovizionare@bucegi-panoramic.example",
      address: "Strada Telecabinei 1",
      city: "Sinaia",
      county: "Prahova",
      postal_code: "106100",
      status: "active",
      employee_count: 74,
    },
    owner: 0,
    contacts: [
      { first_name: "Oana", last_name: "Dănilă", phone: "+40 244 555 091", position: "Procurement", is_primary: true },
    ],
    addresses: [
      {
        type: "delivery",
        label: "Kitchen entrance",
        address: "Strada Telecabinei 1",
        city: "Sinaia",
        county: "Prahova",
      },
    ],
    invoices: [
      {
        number: "DMO-2026-0133",
        issued_on: "2026-11-09",
        due_on: "2026-12-09",
        total: "7777.70",
        currency: "RON",
        status: "issued",
        lines: [
          { sku: "KIT-077", description: "Kitchen supplies, mixed", quantity: "100", unit_price: "77.00" },
          { sku: "LIN-025", description: "Table linen, set", quantity: "3", unit_price: "25.90" },
        ],
        wms_instance: NORTH,
        wms_order_id: 51102,
        wms_order_number: "WO-51102",
      },
    ],
  },
  {
    fields: {
      name: "Textile Crișul Alb SRL",
      tax_id: "RO00101234",
      industry: "Textiles",
      phone: "+40 257 555 101",
      city: "Ineu",
      county: "Arad",
      status: "inactive",
      employee_count: 33,
    },
    owner: 2,
  },
  {
    fields: {
      name: "Grădina Bunicii SRL",
      tax_id: "RO00112345",
      industry: "Agriculture",
      email: "buna@gradina-bunicii.example",
      city: "Târgu Mureș",
      county: "Mureș",
      status: "prospect",
      employee_count: 4,
    },
    owner: 1,
    contacts: [
      { first_name: "Zsófia", last_name: "Nagy", email: "zsofia@gradina-bunicii.example", preferred_language: "hu" },
    ],
    tickets: [{ title: "Asks for organic certificates", status: "waiting" }],
  },
  {
    fields: {
      name: "Librăria din Vale SRL",
      tax_id: "RO00123456",
      industry: "Retail",
      website: "https://libraria-din-vale.example",
      phone: "+40 21 555 0121",
      email: "depozit@libraria-din-vale.example",
      address: "Calea Victoriei 200",
      city: "București",
      county: "București",
      postal_code: "010098",
      status: "active",
      employee_count: 61,
    },
    owner: 0,
    contacts: [
      { first_name: "Tudor", last_name: "Hașdeu", email: "tudor@libraria-din-vale.example", is_primary: true },
    ],
    addresses: [
      {
        type: "delivery",
        label: "Shop",
        address: "Calea Victoriei 200",
        city: "București",
        county: "București",
        is_default: true,
      },
    ],
    invoices: [
      {
        number: "DMO-2026-0135",
        issued_on: "2026-11-16",
        due_on: "2026-12-16",
        total: "2048.00",
        currency: "RON",
        status: "issued",
        lines: [{ sku: "BKS-032", description: "Books, mixed carton", quantity: "64", unit_price: "32.00" }],
        wms_instance: SOUTH,
        wms_order_id: 9120,
        wms_order_number: "S-9120",
        wms_status: "packed",
        wms_synced_at: "2026-11-17T15:30:00.750000Z",
      },
    ],
  },
  {
    fields: {
      name: "Chișinău Import-Export SRL",
      tax_id: "MD0000131313",
      industry: "Wholesale",
      email: "vanzari@chisinau-impex.example",
      city: "Chișinău",
      country: "Moldova",
      status: "prospect",
    },
    owner: 2,
  },
];
