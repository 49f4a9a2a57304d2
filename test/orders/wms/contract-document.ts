import assert from "node:assert/strict";
import fs from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

export const CONTRACT_FILE = new URL("../../../docs/wms-contract.yaml", import.meta.url);

const PATHS: [pattern: RegExp, path: string][] = [
  [/^\/ping$/, "/ping"],
  [/^\/orders$/, "/orders"],
  [/^\/orders\/\d+$/, "/orders/{order_id}"],
];

type Operation = { requestBody?: object; responses: Record<string, { $ref?: string }> };
type Contract = { paths: Record<string, Record<string, Operation>> };

export type ContractChecker = {
  request(method: string, path: string, body: unknown): void;
  answer(method: string, path: string, status: number, body: unknown): void;
};

/** Checks what is sent and answered against docs/wms-contract.yaml. `path` is that below the instance's address. */
export function createContractChecker(): ContractChecker {
  const document = parseYaml(fs.readFileSync(CONTRACT_FILE, "utf8")) as Contract;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "contract");
  const operationOf = (method: string, path: string) => {
    const known = PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? path;
    const operation = document.paths[known]?.[method.toLowerCase()];
    assert.ok(operation !== undefined, `${method} ${path} is no call of the contract`);
    return { operation, pointer: `#/paths/${escaped(known)}/${method.toLowerCase()}` };
  };
  const check = (name: string, place: string, body: unknown) => {
    const fits = ajv.getSchema(`contract${place}/content/application~1json/schema`);
    assert.ok(fits !== undefined, `${name} has no schema at ${place}`);
    assert.ok(fits(body), `${name}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(body)}`);
  };
  return {
    request(method, path, body) {
      const { operation, pointer } = operationOf(method, path);
      if (operation.requestBody !== undefined) check(`${method} ${path}`, `${pointer}/requestBody`, body);
    },
    answer(method, path, status, body) {
      const { operation, pointer } = operationOf(method, path);
      const response = operation.responses[status];
      assert.ok(response !== undefined, `${method} ${path}: ${status} is not in the contract`);
      check(`${method} ${path} ${status}`, response.$ref ?? `${pointer}/responses/${status}`, body);
    },
  };
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));
}
