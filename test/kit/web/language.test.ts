import assert from "node:assert/strict";
import { test } from "node:test";
import {
  counted,
  day,
  dayOf,
  decimal,
  requestedLanguage,
  languages,
  localMoment,
  moment,
  momentAgo,
  momentAhead,
  nearDay,
  type Language,
} from "../../../src/kit/web/language.ts";

test("Romanian has three forms of a noun, English two", () => {
  const forms = { one: "factură", few: "facturi", other: "de facturi" };
  const written = [0, 1, 2, 19, 20, 101, 1_284].map((count) => counted("ro", count, forms));
  assert.deepEqual(written, [
    "0 facturi",
    "1 factură",
    "2 facturi",
    "19 facturi",
    "20 de facturi",
    "101 facturi",
    "1.284 de facturi",
  ]);
  const english = [0, 1, 2, 1_284].map((count) => counted("en", count, { one: "invoice", other: "invoices" }));
  assert.deepEqual(english, ["0 invoices", "1 invoice", "2 invoices", "1,284 invoices"]);
});

test("on a live page a moment of today is shown as its age, and is whole in the title", () => {
  const before = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const told = (language: Language, minutes: number, isFollowed = true) =>
    String(momentAgo(language, before(minutes), "Europe/Bucharest", isFollowed)).replaceAll(/<[^>]*>/g, "");
  assert.deepEqual(
    [0, 25, 125].map((minutes) => told("en", minutes)),
    ["just now", "25 min ago", "2 hr ago"],
  );
  assert.deepEqual(
    [0, 25, 125].map((minutes) => told("ro", minutes)),
    ["chiar acum", "acum 25 min.", "acum 2 h"],
  );
  const [stale, old] = [told("en", 125, false), told("en", 24 * 60)];
  assert.deepEqual(
    [stale, old],
    [125, 24 * 60].map((minutes) =>
      nearDay("en", localMoment(before(minutes), "Europe/Bucharest"), "Europe/Bucharest"),
    ),
  );
  const whole = String(momentAgo("en", before(3), "Europe/Bucharest", true));
  assert.ok(whole.includes(`title="${moment("en", before(3), "Europe/Bucharest")}"`), whole);
});

test("a day has its year where that is not the current one", () => {
  const year = Temporal.Now.plainDateISO("Europe/Bucharest").year;
  assert.equal(nearDay("en", `${year}-09-05`, "Europe/Bucharest"), "5 Sep");
  assert.equal(nearDay("ro", `${year - 1}-09-05`, "Europe/Bucharest"), `5 sept. ${year - 1}`);
});

test("a moment within an hour is shown as the time until it", () => {
  const told = (language: Language, seconds: number) => {
    const at = new Date(Date.now() + seconds * 1_000).toISOString();
    return String(momentAhead(language, at, "Europe/Bucharest")).replaceAll(/<[^>]*>/g, "");
  };
  assert.match(told("en", 40), /^in (40|39) sec\.?$/);
  assert.match(told("ro", 40), /^peste (40|39) (?:de )?sec\.?$/);
  assert.equal(told("en", 600), "in 10 min");
  assert.match(told("en", 90_000), /\d{4}, \d{2}:\d{2}$/);
  assert.match(told("en", -5), /^in 0 sec\.?$/);
});

test("a decimal is written exactly, however long", () => {
  assert.equal(decimal("en", "999999999999999.123456"), "999,999,999,999,999.123456");
  assert.equal(decimal("ro", "-1234.5"), "-1.234,50");
});

test("moments are shown in the workspace's time zone, days as they are", () => {
  assert.equal(moment("en", "2026-12-01 22:30:00.5+00", "Europe/Bucharest"), "2 Dec 2026, 00:30");
  assert.equal(dayOf("ro", "2026-12-01T22:30:00.500000Z", "Europe/Bucharest"), "2 dec. 2026");
  assert.equal(day("en", "2026-12-01"), "1 Dec 2026");
  assert.equal(day("en", "2026-09-02"), "2 Sep 2026");
});

test("the language is the one of the browser's that we speak and that weighs most", () => {
  assert.deepEqual(Object.keys(languages), ["en", "ro"]);
  for (const [header, language] of [
    ["de, ro-RO;q=0.8, en;q=0.7", "ro"],
    ["ro;q=0.8, en", "en"],
    ["en-US,en", "en"],
    ["de", "en"],
    [undefined, "en"],
    ["RO", "ro"],
    ["en;q=0.3, ro;q=0.9", "ro"],
    ["en;q=0.9,ro;q=0.9", "en"],
    ["de, en;q=0.5, ro ; q=0.7", "ro"],
    ["ro;q=0, en;q=0.1", "en"],
    ["ro;q=0", "en"],
    ["ro;q=none", "en"],
    ["rom, enx", "en"],
  ] as const) {
    assert.equal(requestedLanguage(header), language);
  }
});
