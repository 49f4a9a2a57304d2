import type pg from "pg";
import type { TenantSeed } from "../tenants/dataset.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { AttackedRows, Attacker } from "./attack.ts";

/** How much the attacking tenants have. */
export type NeighbourSizes = {
  bystander: number;
  large: number;
  beneath: number;
  huge: number;
  fat: number;
};

export const FULL: NeighbourSizes = { bystander: 1_000, large: 100_000, beneath: 5_000, huge: 200_000, fat: 200 };
export const QUICK: NeighbourSizes = { bystander: 200, large: 300, beneath: 40, huge: 100, fat: 4 };

export type NeighbourTenants = { bystander: SeededTenant; attackers: Record<Attacker, AttackedRows> };

export function neighbourSeeds({ bystander, large, fat }: NeighbourSizes): TenantSeed[] {
  return [
    { slug: "bystander", companies: bystander },
    { slug: "large", companies: large },
    { slug: "crowded", companies: 20 },
    { slug: "fat", companies: fat },
  ];
}

/** Adds what the tenants have beyond their companies, where it is not there yet. */
export async function neighbourTenants(
  owner: pg.Client,
  seeded: Map<string, SeededTenant>,
  { beneath, huge, fat: fatRows }: NeighbourSizes,
): Promise<NeighbourTenants> {
  const tenant = (slug: string) => {
    const found = seeded.get(slug);
    if (found === undefined) throw new Error(`the tenant ${slug} was not seeded`);
    return { ...found, company: found.firstCompany, hugeCompany: found.firstCompany + 1 };
  };
  const [large, crowded, fat] = [tenant("large"), tenant("crowded"), tenant("fat")];
  const counted = await owner.query("select count(*)::int as n from addresses where tenant_id = $1", [crowded.id]);
  if (counted.rows[0]?.n === 0) {
    for (const statement of BENEATH) await owner.query(statement, [crowded.id, crowded.company, beneath]);
    await owner.query(CONTACTS, [crowded.id, crowded.hugeCompany, huge]);
    await owner.query(FAT_COMPANIES, [fat.id]);
    await owner.query(FAT_CONTACTS, [fat.id, fat.company, fatRows]);
    await owner.query("vacuum analyze");
    await owner.query("checkpoint");
  }
  return { bystander: tenant("bystander"), attackers: { large, crowded, fat } };
}

const CONTACTS = `insert into contacts (tenant_id, company_id, first_name, last_name, email, preferred_language)
  select $1, $2, 'Ana ' || n, 'Popescu-Țărănescu ' || n, 'ana.popescu' || n || '@firma.example', 'ro' from generate_series(1, $3) n`;

const BENEATH = [
  CONTACTS,
  `insert into invoices (tenant_id, company_id, number, total, currency, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at)
  select $1, $2, 'MANY-' || n, 100, 'RON', 'wms.example.com', 900000 + n, 'SO-' || n, 'shipped', now() from generate_series(1, $3) n`,
  `insert into addresses (tenant_id, company_id, label, address, city, country)
  select $1, $2, 'Depozit ' || n, 'Strada Fabricii ' || n, 'Cluj-Napoca', 'Romania' from generate_series(1, $3) n`,
];

/** The longest texts there can be, of characters of four bytes: 200 of these companies are 105 MB of JSON. */
const FAT_COMPANIES = `update companies set notes = repeat('𝒳', 65535), delivery_notes = repeat('𝒴', 65535) where tenant_id = $1`;
const FAT_CONTACTS = `insert into contacts (tenant_id, company_id, first_name, last_name, preferred_language, notes)
  select $1, $2, 'Ana', 'Popescu', 'ro', repeat('𝒳', 65535) from generate_series(1, $3)`;
