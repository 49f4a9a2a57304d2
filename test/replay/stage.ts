import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

/** This checkout. */
export const ROOT = path.join(import.meta.dirname, "../..");
const ALL =
  "companies:write,contacts:write,contacts:erase,addresses:write,invoices:write,wms-orders:write,webhooks:write,changes:read";
const MANY = ["--rate", "200000"];
const CITIES = ["Brașov", "Cluj-Napoca", "Iași", "București", "Pitești", "Timișoara"];
const STATUSES = ["active", "inactive", "prospect", "churned"];
const FIRST_NAMES = ["Ana", "Ștefan", "Ion", "Élodie", "bogdan"];

/** The keys that requests name. */
export type KeyName = "all" | "read" | "wms" | "none" | "slow" | "ip" | "revoked" | "expired" | "other" | "gone";

/** A served installation of one commit, with the data that all have. */
export type Stage = { url: string; tokens: Record<KeyName, string>; end(): Promise<void> };

/** The files of a commit in a new directory, with the packages of this checkout. */
export function checkoutOf(commit: string, directory: string): string {
  const checkout = path.join(directory, "checkout");
  fs.mkdirSync(checkout);
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", checkout], { input: archive });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(checkout, "node_modules"));
  return checkout;
}

/** Makes an installation in a directory by the commands of a checkout, and serves it. */
export async function serveCheckout(checkout: string, directory: string): Promise<Stage> {
  const { bin } = JSON.parse(fs.readFileSync(path.join(checkout, "package.json"), "utf8")) as {
    bin: { liaison: string };
  };
  const program = path.join(checkout, bin.liaison);
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    LIAISON_DATA_DIR: path.join(directory, "data"),
    LIAISON_PUBLIC_URL: "https://crm.example",
    LIAISON_CORS_ORIGINS: "https://erp.example",
    LIAISON_WORKER: "off",
    LOG_LEVEL: "warn",
  };
  const cli = (args: string[], input = ""): string =>
    execFileSync(process.execPath, [program, ...args], { env, input, encoding: "utf8" });
  cli(["init"]);
  for (const [slug, name] of [
    ["acme", "Acme Tools"],
    ["other", "Other"],
    ["gone", "Gone"],
  ] as const) {
    cli(["tenant", "create", slug, "--name", name]);
  }
  for (const [email, name] of [
    ["ana@acme.example", "Ana"],
    ["mihai@acme.example", "Mihai"],
  ] as const) {
    cli(["user", "create", "--tenant", "acme", "--email", email, "--name", name], `violet harbour 91 ${name}`);
  }
  const tokens = makeKeys(cli);
  importFiles(cli, directory);
  const port = await freePort();
  const child = spawn(process.execPath, [program, "serve"], { env: { ...env, PORT: String(port) } });
  const ended = once(child, "close");
  child.stderr.pipe(process.stderr);
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes("Liaison is ready at ")) break;
  }
  if (child.exitCode !== null) throw new Error("the server ended");
  child.stdout.resume();
  return {
    url: `http://127.0.0.1:${port}`,
    tokens,
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function makeKeys(cli: (args: string[]) => string): Stage["tokens"] {
  const made = new Map<string, { id: number; token: string }>();
  const key = (name: KeyName, tenant: string, capabilities: string, ...more: string[]) => {
    const args = ["key", "create", "--tenant", tenant, "--capabilities", capabilities, "--name", name, "--json"];
    made.set(name, JSON.parse(cli([...args, ...more])) as { id: number; token: string });
  };
  key("all", "acme", ALL, ...MANY);
  key("read", "acme", "companies:read,contacts:read", ...MANY);
  key("wms", "acme", "wms-orders:read", ...MANY);
  key("none", "acme", "webhooks:read", ...MANY);
  key("slow", "acme", "companies:read", "--rate", "3");
  key("ip", "acme", "companies:read", "--allow-ip", "10.0.0.0/8");
  key("revoked", "acme", "companies:read");
  cli(["key", "revoke", "--tenant", "acme", String(made.get("revoked")?.id)]);
  const expires = new Date(Date.now() + 4_000).toISOString().replace(/\.\d+/, "");
  key("expired", "acme", "companies:read", "--expires", expires);
  key("other", "other", ALL, ...MANY);
  key("gone", "gone", ALL);
  cli(["tenant", "suspend", "gone"]);
  return Object.fromEntries([...made].map(([name, { token }]) => [name, token])) as Stage["tokens"];
}

function importFiles(cli: (args: string[]) => string, directory: string): void {
  const times = <T>(count: number, row: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => row(n));
  const day = (n: number) => String(1 + (n % 28)).padStart(2, "0");
  const second = (n: number) => String(n % 60).padStart(2, "0");
  const files: Record<string, string[]> = {
    companies: [
      "name,tax_id,city,email,phone,status",
      ...times(
        120,
        (n) =>
          `Firma ${n} SRL,RO${100_000 + n},${CITIES[n % 6]},office${n}@firma${n}.example,+40 21 ${String(n).padStart(6, "0")},${STATUSES[n % 4]}`,
      ),
    ],
    contacts: [
      "company_tax_id,first_name,last_name,email,mobile,is_primary",
      ...times(
        300,
        (n) =>
          `RO${100_000 + (n % 120)},${FIRST_NAMES[n % 5]},Pop${n},p${n}@x.example,+40 722 ${String(n).padStart(6, "0")},${n % 7 === 0}`,
      ),
    ],
    invoices: [
      "company_tax_id,number,issued_on,total,currency,status,wms_instance,wms_order_id,wms_order_number,wms_status,wms_synced_at",
      ...times(200, (n) => {
        const order = `${n % 5 === 0 ? "" : "nord.depozit.example"},${5_000 + n},WO-${n},picking,2026-10-05T12:41:${second(n)}.004512Z`;
        return `RO${100_000 + (n % 30)},INV-${String(n).padStart(5, "0")},2026-10-${day(n)},${n}.50,RON,issued,${n % 2 === 0 ? order : ",,,,"}`;
      }),
    ],
  };
  for (const [index, kind] of ["offers", "deals", "tickets", "subscriptions"].entries()) {
    files[kind] = ["company_tax_id,number,title", `RO${100_031 + index},N-1,t`, "RO100035,N-2,t"];
  }
  for (const [kind, lines] of Object.entries(files)) {
    const file = path.join(directory, `${kind}.csv`);
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    cli(["import", kind, "--tenant", "acme", file]);
  }
}

/** A new directory for an installation. */
export function newDirectory(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), "liaison-replay-"));
}

/** A port of loopback that nobody listens on. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return port;
}
