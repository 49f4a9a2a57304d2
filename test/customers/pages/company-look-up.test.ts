import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createConfig, lintFromString, parseYaml } from "@redocly/openapi-core";
import { startLookupSimulator, type Fault } from "../../../lookup-simulator/simulator.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** docs/company-lookup.md. */
const register = await startLookupSimulator();
const server = await startServer({
  LIAISON_COMPANY_LOOKUP_URL: register.url,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
});
const PATH = "/companies/{tax_id}";
type Contract = {
  paths: Record<string, { get: { responses: { 200: { content: { "application/json": { example: unknown } } } } } }>;
};
const LOOK_UP = "/companies/look-up";

test.after(async () => await register.close());

/** The value of a field of the form. */
function valueIn(text: string, name: string): string | undefined {
  const [input = ""] = new RegExp(`<input [^>]*name="${name}"[^>]*>`).exec(text) ?? [];
  return /value="([^"]*)"/.exec(input)?.[1];
}

test("a new company is filled in from its fiscal id, and nothing is saved before the person saves it", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const form = await member.get("/companies/new");
  assert.match(form.text, /<button formaction="\/companies\/look-up">Fill in from fiscal id<\/button>/);
  assert.ok(form.text.indexOf("Create company") < form.text.indexOf(LOOK_UP), "Enter creates the company");

  const field = { noun: "company", key: "route", label: "Route", kind: "text" };
  const defined = await tenant.post("/api/v1/custom-fields", field);
  assert.equal(defined.status, 201, defined.text);
  const [, route = ""] = /name="([^"]*route)"/.exec((await member.get("/companies/new")).text) ?? [];
  const typed = { tax_id: "RO 23 456", city: "Cluj", notes: "ours", [route]: "North 3" };
  const { status, text } = await member.post(LOOK_UP, typed);
  assert.equal(status, 200);
  assert.equal(register.calls.at(-1), "/companies/RO23456");
  assert.equal(valueIn(text, "name"), "Panificația Brașov SA");
  assert.equal(valueIn(text, "address"), "Strada Lungă 1");
  assert.equal(valueIn(text, "city"), "Cluj", "what was typed stays");
  assert.match(text, /In the register: Brașov/);
  assert.match(text, /Registered for VAT\./);
  assert.match(text, /nothing is saved yet/);
  assert.match(text, /ours/);
  assert.match(text, /North 3<\/textarea>/, "a custom field stays too");
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 0);
});

test("the values of the register that differ are chosen, and only they are saved", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const made = await tenant.post("/api/v1/companies", { name: "Panificatia", tax_id: "RO23456", city: "Brașov" });
  const path = `/companies/${made.body.data.id}`;
  assert.match((await member.get(path)).text, new RegExp(`href="${path}/look-up"`));
  const { text } = await member.get(`${path}/look-up`);
  assert.match(text, /name="address" value="Strada Lungă 1" checked/, "what is empty is proposed");
  assert.match(text, /name="name" value="Panificația Brașov SA">/);
  assert.ok(!text.includes('name="city"'), "what is the same is no choice");

  const version = String(valueIn(text, "version"));
  const saved = await member.post(path, { version, address: "Strada Lungă 1" });
  assert.equal(saved.location, path, saved.text);
  const { name, address, county } = (await tenant.get(`/api/v1${path}`)).body.data;
  assert.deepEqual({ name, address, county }, { name: "Panificatia", address: "Strada Lungă 1", county: null });
});

test("whatever a register answers, the form stays, and says what happened in both languages", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const problems: [Fault, RegExp][] = [
    ["down", /The register does not answer/],
    ["throttled", /The register does not answer/],
    ["html", /answer cannot be read/],
    ["large", /answer cannot be read/],
    ["redirect", /answer cannot be read/],
    ["slow", /The register does not answer/],
  ];
  for (const [fault, problem] of problems) {
    register.fault = fault;
    const { status, text } = await member.post(LOOK_UP, { tax_id: "RO1", name: "Typed" });
    assert.equal(status, 200, fault);
    assert.match(text, problem, fault);
    assert.equal(valueIn(text, "name"), "Typed", fault);
  }
  register.fault = "types";
  const odd = await member.post(LOOK_UP, { tax_id: "RO1" });
  assert.equal(valueIn(odd.text, "address"), "Strada Lungă 1");
  assert.equal(valueIn(odd.text, "city"), "");
  assert.doesNotMatch(odd.text, /VAT\./);
  register.fault = "hostile";
  const hostile = await member.post(LOOK_UP, { tax_id: "RO1" });
  assert.ok(!hostile.text.includes("<script>alert"));
  assert.deepEqual(
    ["address", "city"].map((name) => valueIn(hostile.text, name)),
    ["", ""],
  );
  register.fault = "none";
  const romanian = { "sec-fetch-site": "same-origin", "accept-language": "ro" };
  assert.match((await member.post(LOOK_UP, { tax_id: "RO10" }, romanian)).text, /nu are nicio firmă/);
  assert.match((await member.post(LOOK_UP, { tax_id: "RO10" })).text, /no company with this fiscal id/);
  const asked = register.calls.length;
  assert.match((await member.post(LOOK_UP, {})).text, /Enter the fiscal id first/);
  assert.equal(register.calls.length, asked);
  await member.post(LOOK_UP, { tax_id: "../../admin?x=1#" });
  assert.equal(register.calls.at(-1), `/companies/${encodeURIComponent("../../admin?x=1#")}`);
  for (const none of [".", "..", " . .", "9".repeat(900_000)])
    assert.match((await member.post(LOOK_UP, { tax_id: none })).text, /no company with this fiscal id/);
  assert.equal(register.calls.length, asked + 1, "an address elsewhere, and one that is too long, are not called");
});

test("without a register, or with one in a private network, nothing is offered or called", async () => {
  const without = await startServer({ LIAISON_COMPANY_LOOKUP_URL: "" });
  const nobody = await signedIn(without, await without.createTenant());
  assert.ok(!(await nobody.get("/companies/new")).text.includes(LOOK_UP));
  assert.equal((await nobody.post(LOOK_UP, { tax_id: "RO1" })).status, 404);

  const closed = await startServer({ LIAISON_COMPANY_LOOKUP_URL: register.url });
  const member = await signedIn(closed, await closed.createTenant());
  const asked = register.calls.length;
  assert.match((await member.post(LOOK_UP, { tax_id: "RO1" })).text, /LIAISON_WMS_PRIVATE_NETWORKS/);
  assert.equal(register.calls.length, asked);
});

test("the contract is a valid document, and the simulator answers as its example", async () => {
  const file = path.join(import.meta.dirname, "../../../docs/company-lookup.yaml");
  const source = fs.readFileSync(file, "utf8");
  const config = await createConfig({ extends: ["recommended"] });
  assert.deepEqual(await lintFromString({ source, absoluteRef: file, config }), []);
  const { paths } = parseYaml(source) as Contract;
  const answer = await fetch(`${register.url.replace("register.localhost", "127.0.0.1")}/companies/RO1`);
  assert.deepEqual(await answer.json(), paths[PATH]?.get.responses[200].content["application/json"].example);
});
