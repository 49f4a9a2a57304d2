import assert from "node:assert/strict";
import { test } from "node:test";
import { isEmail } from "../../src/platform/email.ts";
import { fc } from "../properties.ts";

const atom = fc.string({ unit: fc.constantFrom(...Array.from("aZ9!#$%&'*+/=?^_`{|}~-")), minLength: 1, maxLength: 10 });
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/);
const local = fc.array(atom, { minLength: 1, maxLength: 5 }).map((atoms) => atoms.join("."));
const domain = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join("."));

test("dot-separated atoms, an at sign and dot-separated labels are an address", () => {
  fc.assert(fc.property(local, domain, (local, domain) => isEmail(`${local}@${domain}`)));
});

test("one wrong character or dot makes a text no e-mail address", () => {
  const wrong = fc.constantFrom(...Array.from(' \t\n\0"(),:;<>@[\\]\u00a0\u200b'));
  fc.assert(
    fc.property(local, domain, wrong, (local, domain, character) => !isEmail(`${local}${character}@${domain}`)),
  );
  fc.assert(
    fc.property(local, domain, wrong, (local, domain, character) => !isEmail(`${local}@${character}${domain}`)),
  );
  fc.assert(
    fc.property(local, domain, (local, domain) => {
      for (const text of [`.${local}@${domain}`, `${local}.@${domain}`, `${local}@.${domain}`, `${local}@${domain}.`]) {
        assert.ok(!isEmail(text), text);
      }
      for (const text of [local, `${local}@`, `@${domain}`, `${local}@-${domain}`, `${local}@${domain}-`]) {
        assert.ok(!isEmail(text), text);
      }
    }),
  );
});

test("the lengths are 64, 63 and 253, in code points", () => {
  const labels = (...lengths: number[]) => lengths.map((length) => "d".repeat(length)).join(".");
  assert.ok(isEmail(`${"l".repeat(64)}@d`));
  assert.ok(!isEmail(`${"l".repeat(65)}@d`));
  assert.ok(isEmail(`a@${labels(63)}`));
  assert.ok(!isEmail(`a@${labels(64)}`));
  assert.ok(isEmail(`a@${labels(63, 63, 63, 61)}`));
  assert.ok(!isEmail(`a@${labels(63, 63, 63, 62)}`));
  assert.ok(isEmail(`${"ș".repeat(64)}@${"ș".repeat(63)}.ro`));
});

test("checking an e-mail address takes linear time on hostile text", () => {
  for (const text of [`${"a.".repeat(100_000)}@b`, `a@${"b-".repeat(100_000)}`, "@".repeat(200_000)]) {
    assert.ok(!isEmail(text));
  }
});
