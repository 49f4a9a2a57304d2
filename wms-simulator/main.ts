import { parseArgs } from "node:util";
import { FAULTS, parseFaults } from "./faults.ts";
import { DEFAULTS, startSimulator, type SimulatorOptions } from "./simulator.ts";

const USAGE = `A warehouse management system to try Liaison with (docs/wms.md 7).

  npm run -s wms-simulator -- [options]

  --port N            where it listens on 127.0.0.1 (4010)
  --faults A=P,B=P    faults and their chances from 0 to 1
  --seed TEXT         what the chances fall by (${DEFAULTS.seed})
  --ledger FILE       keeps the orders in a file
  --calls FILE        gets a line of JSON for each call
  --keys A,B          the keys that are taken (any)
  --progress SECONDS  between new, picking, packed and shipped (orders stay new)
  --slow SECONDS      of the faults slow and late (${DEFAULTS.slowMs / 1_000})
  --lag SECONDS       of the fault lag (${DEFAULTS.lagMs / 1_000})
  --retry-after N     seconds of the faults 429 and 403 (${DEFAULTS.retryAfterSeconds})
  --until-input-ends  ends when its standard input ends, for example with its parent process

Faults:
${Object.entries(FAULTS)
  .map(([name, words]) => `  ${name.padEnd(12)} ${words}`)
  .join("\n")}
`;

try {
  const options = readOptions();
  if (options === null) process.stdout.write(USAGE);
  else await run(options, process.argv.includes("--until-input-ends"));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(options: Partial<SimulatorOptions>, untilInputEnds: boolean): Promise<void> {
  const simulator = await startSimulator(options);
  process.stdout.write(
    `The WMS simulator is ready; its orders are at ${simulator.admin}/ledger. Start Liaison with ` +
      `LIAISON_WMS_URL='${simulator.template}' LIAISON_WMS_PRIVATE_NETWORKS=127.0.0.1\n`,
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.close());
  if (untilInputEnds) process.stdin.resume().once("close", () => process.exit());
}

/** Null: only the usage was asked for. */
function readOptions(): Partial<SimulatorOptions> | null {
  const string = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      "until-input-ends": { type: "boolean" },
      port: { ...string, default: "4010" },
      faults: { ...string, default: "" },
      seed: { ...string, default: DEFAULTS.seed },
      ledger: string,
      calls: string,
      keys: string,
      progress: string,
      slow: string,
      lag: string,
      "retry-after": string,
    },
  });
  if (values.help === true) return null;
  const milliseconds = (option: "progress" | "slow" | "lag") => number(values[option], option) * 1_000;
  return {
    port: number(values.port, "port"),
    faults: parseFaults(values.faults),
    seed: values.seed,
    ledgerFile: values.ledger ?? null,
    callsFile: values.calls ?? null,
    keys: values.keys?.split(",") ?? null,
    ...(values.progress !== undefined && { progressMs: milliseconds("progress") }),
    ...(values.slow !== undefined && { slowMs: milliseconds("slow") }),
    ...(values.lag !== undefined && { lagMs: milliseconds("lag") }),
    ...(values["retry-after"] !== undefined && { retryAfterSeconds: number(values["retry-after"], "retry-after") }),
  };
}

function number(text: string | undefined, option: string): number {
  const value = Number(text);
  if (text === "" || !(value >= 0)) throw new Error(`--${option} needs a number.`);
  return value;
}
