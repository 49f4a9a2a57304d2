import { Command } from "commander";
import { registerBackup } from "./backup.ts";
import { registerDb } from "./db.ts";
import { registerDoctor } from "./doctor.ts";
import { registerEncryption } from "./encryption.ts";
import { registerErase } from "./erase.ts";
import { registerExport } from "./export.ts";
import { registerImport } from "./import.ts";
import { registerKey } from "./key.ts";
import { registerMigrate } from "./migrate.ts";
import { registerOperator } from "./operator.ts";
import { registerRestore } from "./restore.ts";
import { registerServe } from "./serve.ts";
import { registerTenant } from "./tenant.ts";
import { registerUser } from "./user.ts";
import { registerWms } from "./wms.ts";
import { registerWorker } from "./worker.ts";

/** Reads the arguments and runs the command that they name. */
export async function runProgram(): Promise<void> {
  await createProgram().parseAsync();
}

/** The command line (docs/operations.md 3). */
export function createProgram(): Command {
  // An option belongs to the command that it stands behind: `backup` and `backup verify` both have a `--json`.
  const program = new Command("liaison")
    .enablePositionalOptions()
    .description("A multi-tenant customer relationship service.");
  registerServe(program);
  registerWorker(program);
  registerMigrate(program);
  registerDb(program);
  registerTenant(program);
  registerUser(program);
  registerOperator(program);
  registerKey(program);
  registerImport(program);
  registerExport(program);
  registerErase(program);
  registerWms(program);
  registerEncryption(program);
  registerBackup(program);
  registerRestore(program);
  registerDoctor(program);
  return program;
}
