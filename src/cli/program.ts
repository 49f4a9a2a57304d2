import { Command } from "commander";
import { readsConfig } from "./settings.ts";

type Register = (program: Command) => void;

/** The commands in the order in which the help lists them, each loaded when it is needed. */
const commands: Record<string, () => Promise<Register>> = {
  serve: async () => (await import("./serve.ts")).registerServe,
  worker: async () => (await import("./worker.ts")).registerWorker,
  init: async () => (await import("./init.ts")).registerInit,
  migrate: async () => (await import("./migrate.ts")).registerMigrate,
  db: async () => (await import("./db.ts")).registerDb,
  tenant: async () => (await import("./tenant/tenant.ts")).registerTenant,
  user: async () => (await import("./user.ts")).registerUser,
  operator: async () => (await import("./operator.ts")).registerOperator,
  mail: async () => (await import("./mail.ts")).registerMail,
  key: async () => (await import("./key.ts")).registerKey,
  import: async () => (await import("./import.ts")).registerImport,
  export: async () => (await import("./export.ts")).registerExport,
  merge: async () => (await import("./merge.ts")).registerMerge,
  erase: async () => (await import("./erase.ts")).registerErase,
  listen: async () => (await import("./listen.ts")).registerListen,
  wms: async () => (await import("./wms/wms.ts")).registerWms,
  encryption: async () => (await import("./encryption.ts")).registerEncryption,
  backup: async () => (await import("./backup.ts")).registerBackup,
  restore: async () => (await import("./restore.ts")).registerRestore,
  doctor: async () => (await import("./doctor.ts")).registerDoctor,
};

/** Reads the arguments and runs the named command. */
export async function runProgram(): Promise<void> {
  const [, , name = ""] = process.argv;
  if (name === "--version") return printVersion();
  await createProgram(await loadCommands(name)).parseAsync();
}

async function printVersion(): Promise<void> {
  const { versionOf } = await import("../platform/version.ts");
  const { version, commit } = versionOf();
  console.log(`liaison ${version}${commit === null ? "" : ` (${commit.slice(0, 12)})`}`);
}

/** Loads only the named command, which halves its start time; the help, and an unknown name, need all of them. */
export async function loadCommands(name = ""): Promise<Register[]> {
  const needed = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands);
  return await Promise.all(needed.flatMap((load) => load?.() ?? []));
}

/** The command line (docs/operations.md 3). */
export function createProgram(loaded: readonly Register[]): Command {
  // An option belongs to the command before it: `backup` and `backup verify` both have a `--json`.
  const program = new Command("liaison")
    .enablePositionalOptions()
    .description("A multi-tenant customer relationship service.");
  readsConfig(program).option("--version", "print the version and the commit");
  for (const register of loaded) register(program);
  return program;
}
