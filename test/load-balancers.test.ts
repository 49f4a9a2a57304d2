import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "@redocly/openapi-core";
import { read } from "./tidy/checkout.ts";

/** Within this time `/health/ready` answers: it gives up on the database sooner (src/doors/health.ts). */
const READY_SECONDS = 2;

test("no example of a load balancer gives up on `ready` before its answer", () => {
  const [, haproxy] = /^ +timeout check (\d+)s$/m.exec(read("docs/operations/haproxy.cfg")) ?? [];
  assert.ok(Number(haproxy) > READY_SECONDS, `HAProxy waits ${haproxy} s`);
  const [first = ""] = read("docs/operations/kubernetes.yaml").split(/^---$/m);
  type Container = Record<"startupProbe" | "readinessProbe" | "livenessProbe", { timeoutSeconds?: number }>;
  const { spec } = parseYaml(first) as { spec: { template: { spec: { containers: Container[] } } } };
  for (const { startupProbe, readinessProbe, livenessProbe } of spec.template.spec.containers)
    for (const { timeoutSeconds = 1 } of [startupProbe, readinessProbe, livenessProbe])
      assert.ok(timeoutSeconds > READY_SECONDS, `Kubernetes waits ${timeoutSeconds} s`);
});
