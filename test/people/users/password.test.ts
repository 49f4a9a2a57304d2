import assert from "node:assert/strict";
import { test } from "node:test";
import { generatePassword, passwordComplaint } from "../../../src/people/users/password.ts";
import { fieldSentence } from "../../../src/platform/fields/field-reasons.ts";

const owner = { email: "ana.ionescu@example.com", workspace: "transilvania-foods" };
const complaintOf = (password: string) => {
  const complaint = passwordComplaint(password, owner);
  return complaint && fieldSentence("password", complaint);
};

test("a password has 12 to 1,000 characters, of which one is one however it is encoded", () => {
  assert.match(complaintOf("violet-harb") ?? "", /at least 12 characters/);
  assert.equal(complaintOf("violet-harbo"), null);
  assert.match(complaintOf("🦊🐙🐳🌵🍉🎲🧩🚲🪁🧭🛶") ?? "", /at least 12 characters/);
  assert.equal(complaintOf("🦊🐙🐳🌵🍉🎲🧩🚲🪁🧭🛶🏔"), null);
  const long = Array.from({ length: 1_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
  assert.equal(complaintOf(long), null);
  assert.match(complaintOf(`${long}a`) ?? "", /not be greater than 1000 characters/);
});

test("one of the commonest passwords is refused, in whatever case, repeated, or with digits and signs around", () => {
  for (const password of [
    "1qaz2wsx3edc",
    "1QAZ2wsx3EDC",
    "Motherfucker",
    "qwerty123456",
    "passwordpassword",
    "Password2026!",
    "!!!baseball1!!!",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "123456789012",
  ]) {
    assert.match(complaintOf(password) ?? "", /one of the commonest/, password);
  }
  for (const password of ["monkey!83729104", "violet harbour", "correct horse battery", "passwordviolet"]) {
    assert.equal(complaintOf(password), null, password);
  }
});

test("a password that is the e-mail address or the workspace is refused", () => {
  for (const password of ["Ana.Ionescu@example.com", "ana.ionescu2026", "Transilvania-Foods", "transilvania-foods1"]) {
    assert.match(complaintOf(password) ?? "", /e-mail address or the workspace/, password);
  }
});

test("a password with a control character or half a character is refused", () => {
  for (const password of ["violet\0harbour", "violet\nharbour", "violet-harbour\ud800"]) {
    assert.match(complaintOf(password) ?? "", /invalid characters/, password);
  }
});

test("a password that repeats three characters is refused, and one that repeats an uncommon word of four is not", () => {
  assert.match(complaintOf("xqzxqzxqzxqz") ?? "", /one of the commonest/);
  assert.equal(complaintOf("xqzvxqzvxqzv"), null);
});

test("generated passwords are good ones of 20 characters that do not look alike, and differ", () => {
  const generated = Array.from({ length: 100 }, generatePassword);
  assert.deepEqual(
    generated.map(complaintOf).filter((complaint) => complaint !== null),
    [],
  );
  for (const password of generated) assert.match(password, /^[2-9A-HJ-NP-Za-km-z]{20}$/);
  assert.equal(new Set(generated).size, 100);
});
