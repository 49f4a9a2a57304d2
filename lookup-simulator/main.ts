import { parseArgs } from "node:util";
import { FAULTS, startLookupSimulator, type Fault } from "./simulator.ts";

const USAGE = `A register of companies to try "Fill in from fiscal id" with (docs/company-lookup.md).

  npm run -s lookup-simulator -- [--port N] [--fault NAME]

${Object.entries(FAULTS)
  .map(([name, words]) => `  ${name.padEnd(10)} ${words}`)
  .join("\n")}
`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4020" },
    fault: { type: "string", default: "none" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help === true || !Object.hasOwn(FAULTS, values.fault)) process.stdout.write(USAGE);
else {
  const simulator = await startLookupSimulator(Number(values.port));
  simulator.fault = values.fault as Fault;
  process.stdout.write(
    `The register is ready. Start Liaison with LIAISON_COMPANY_LOOKUP_URL='${simulator.url}' LIAISON_WMS_PRIVATE_NETWORKS=127.0.0.1\n`,
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.close());
}
