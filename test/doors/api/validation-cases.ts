import type { SpecifiedField } from "./specification.ts";

/** What is sent for one field, and what it becomes: a stored value, or the messages of its refusal. */
export type Case = { what: string; sent: unknown } & ({ stored: unknown } | { messages: string[] });

/** The cases of a field's type that hold on POST and PUT alike (docs/contract.md 4). */
export function casesOf(field: SpecifiedField): Case[] {
  const invalidCharacters = [`The ${label(field)} field contains invalid characters.`];
  return [
    ...casesByType[field.type](field),
    { what: "a NUL inside", sent: "a\u0000b", messages: invalidCharacters },
    { what: "a lone high surrogate", sent: "a\ud800", messages: invalidCharacters },
    { what: "a lone low surrogate", sent: "\udc00a", messages: invalidCharacters },
  ];
}

/** The field's name in messages. */
export function label({ name }: SpecifiedField): string {
  return name.replaceAll("_", " ");
}

const casesByType: Record<SpecifiedField["type"], (field: SpecifiedField) => Case[]> = {
  string: stringCases,
  text: stringCases,
  email: emailCases,
  integer: integerCases,
  user: userCases,
  boolean: booleanCases,
  date: dateCases,
  decimal: decimalCases,
  enum: enumCases,
};

function stringCases(field: SpecifiedField): Case[] {
  const max = field.max ?? 0;
  const mustBeString = [`The ${label(field)} field must be a string.`];
  const tooLong = [`The ${label(field)} field must not be greater than ${max} characters.`];
  return [
    { what: "the longest", sent: "x".repeat(max), stored: "x".repeat(max) },
    { what: "one more", sent: "x".repeat(max + 1), messages: tooLong },
    { what: "the longest of astral characters", sent: "😀".repeat(max), stored: "😀".repeat(max) },
    { what: "one astral character more", sent: "😀".repeat(max + 1), messages: tooLong },
    { what: "the longest among blanks", sent: `\u00a0\t ${"y".repeat(max)}\u3000\ufeff\n`, stored: "y".repeat(max) },
    { what: "markup and quotes", sent: `<b>'";--\\`, stored: `<b>'";--\\` },
    { what: "decomposed", sent: "s\u0326", stored: "ș" },
    ...marksCases(field),
    { what: "blanks inside", sent: "a \n b", stored: "a \n b" },
    ...[5, 0, 5.5, true, false, [], ["a"], {}, { a: 1 }].map((sent) => ({
      what: JSON.stringify(sent),
      sent,
      messages: mustBeString,
    })),
  ];
}

/** 30 combining marks in a row, and one more. */
function marksCases(field: SpecifiedField): Case[] {
  if ((field.max ?? 0) < 32) return [];
  const [most, more] = [30, 31].map((marks) => `x${"\u0316".repeat(marks)}`) as [string, string];
  const messages = [`The ${label(field)} field must not have more than 30 combining marks in a row.`];
  return [
    { what: "30 marks", sent: most, stored: most },
    { what: "31 marks", sent: more, messages },
  ];
}

function emailCases(field: SpecifiedField): Case[] {
  const notEmail = [`The ${label(field)} field must be a valid email address.`];
  const tooLong = [`The ${label(field)} field must not be greater than 255 characters.`];
  const domain = (length: number) => `${"d".repeat(63)}.`.repeat(4).slice(0, length - 1) + "d";
  const good = [
    "a@b",
    "Ana.Pop+x@Example.COM",
    "o'brien!#$%&*/=?^_`{|}~-@example.com",
    "a@1.2.3.4",
    "ana@exámple.ro",
    `${"l".repeat(64)}@${domain(190)}`,
  ];
  const bad = [
    "plain",
    "@b.ro",
    "a@",
    "a@b@c",
    "a b@c.ro",
    "a@b c.ro",
    ".a@b.ro",
    "a.@b.ro",
    "a..b@c.ro",
    "a@.ro",
    "a@b.",
    "a@b..ro",
    "a@-b.ro",
    "a@b-.ro",
    "a@b_c.ro",
    "a@[127.0.0.1]",
    `"a"@b.ro`,
    "a(x)@b.ro",
    "Ana <a@b.ro>",
    "a@b.ro,c@d.ro",
    "a@b.ro;",
    `${"l".repeat(65)}@b.ro`,
    `a@${"d".repeat(64)}.ro`,
    "a\n@b.ro",
  ];
  return [
    ...good.map((sent) => ({ what: sent, sent, stored: sent })),
    { what: "blanks around", sent: "  a@b.ro\u200b", stored: "a@b.ro" },
    ...bad.map((sent) => ({ what: sent, sent, messages: notEmail })),
    { what: "256 in all", sent: `${"l".repeat(64)}@${domain(191)}`, messages: tooLong },
    { what: "both rules", sent: "x".repeat(256), messages: [...notEmail, ...tooLong] },
    ...[5, true, [], {}].map((sent) => ({ what: JSON.stringify(sent), sent, messages: notEmail })),
  ];
}

function integerCases(field: SpecifiedField): Case[] {
  const notInteger = `The ${label(field)} field must be an integer.`;
  const tooSmall = `The ${label(field)} field must be at least ${field.min}.`;
  const tooLarge = `The ${label(field)} field must not be greater than ${field.max}.`;
  const good: [unknown, number][] = [
    [5, 5],
    ["5", 5],
    ["+5", 5],
    [" 5 ", 5],
    [0, 0],
    ["0", 0],
    ["-0", 0],
    ["+0", 0],
    [-0, 0],
  ];
  const wrong = ["5.0", "05", "+05", "1e3", "0x10", "abc", "5 5", "--5", "+", "٥", true, false, 5.5, [], [5], {}];
  const cases: Case[] = [
    ...good.map(([sent, stored]) => ({ what: JSON.stringify(sent), sent, stored })),
    ...wrong.map((sent) => ({ what: JSON.stringify(sent), sent, messages: [notInteger] })),
  ];
  if (field.min === undefined) {
    for (const number of [-5, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
      cases.push({ what: String(number), sent: number, stored: number });
      cases.push({ what: `"${number}"`, sent: String(number), stored: number });
    }
    for (const sent of [2 ** 53, -(2 ** 53), "9007199254740992", "-9007199254740992", "9".repeat(400), 1e300]) {
      cases.push({ what: String(sent).slice(0, 30), sent, messages: [notInteger] });
    }
    return cases;
  }
  return [
    ...cases,
    { what: "the largest", sent: field.max, stored: field.max },
    { what: "above the largest", sent: Number(field.max) + 1, messages: [tooLarge] },
    { what: "above the largest, as text", sent: String(Number(field.max) + 1), messages: [tooLarge] },
    { what: "below the smallest", sent: -1, messages: [tooSmall] },
    { what: "below the smallest, as text", sent: "-1", messages: [tooSmall] },
    { what: "neither an integer nor large enough", sent: -1.5, messages: [notInteger, tooSmall] },
    { what: "beyond what an integer can be", sent: 2 ** 53, messages: [notInteger, tooLarge] },
  ];
}

function userCases(field: SpecifiedField): Case[] {
  const notInteger = [`The ${label(field)} field must be an integer.`];
  const unknown = [`The selected ${label(field)} is invalid.`];
  return [
    ...["abc", "5.0", "05", true, 5.5, [], {}, 2 ** 53].map((sent) => ({
      what: JSON.stringify(sent),
      sent,
      messages: notInteger,
    })),
    ...[0, "-0", -1, "999999", 2 ** 53 - 1].map((sent) => ({ what: JSON.stringify(sent), sent, messages: unknown })),
  ];
}

function booleanCases(field: SpecifiedField): Case[] {
  const notBoolean = [`The ${label(field)} field must be true or false.`];
  return [
    ...[true, 1, "1", " 1 "].map((sent) => ({ what: JSON.stringify(sent), sent, stored: true })),
    ...[false, 0, "0"].map((sent) => ({ what: JSON.stringify(sent), sent, stored: false })),
    ...["true", "false", "yes", "on", 2, -1, 0.5, "01", [], {}].map((sent) => ({
      what: JSON.stringify(sent),
      sent,
      messages: notBoolean,
    })),
  ];
}

function dateCases(field: SpecifiedField): Case[] {
  const notDate = [`The ${label(field)} field must be a valid date.`];
  const good = [
    ["2024-02-29", "2024-02-29"],
    ["2000-02-29", "2000-02-29"],
    ["0001-01-01", "0001-01-01"],
    ["9999-12-31", "9999-12-31"],
    [" 2026-12-01 ", "2026-12-01"],
    ["2026-12-01T23:59:59Z", "2026-12-01"],
    ["2026-12-01T00:00:00+14:00", "2026-12-01"],
    ["2026-12-01T23:30:00-08:00", "2026-12-01"],
    ["2026-12-01T10:15:30.123456789Z", "2026-12-01"],
    ["2026-12-01T10:15", "2026-12-01"],
    ["2026-12-01T10:15:30", "2026-12-01"],
    ["2026-12-01T10:15Z", "2026-12-01"],
  ];
  const bad = [
    "2024-02-30",
    "2023-02-29",
    "1900-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-00",
    "2024-04-31",
    "0000-01-01",
    "2024-1-1",
    "24-01-01",
    "12024-01-01",
    "01.02.2024",
    "2024/01/01",
    "20240101",
    "tomorrow",
    "now",
    "2024-01-01T25:00",
    "2024-01-01T24:00:00",
    "2024-01-01T10:60",
    "2024-01-01T10:00:61",
    "2024-01-01T10",
    "2024-01-01T",
    "2024-01-01T10:00:00+25:00",
    "2024-02-30T10:00:00Z",
    "2024-01-01x",
    "٢٠٢٤-٠١-٠١",
    20240101,
    0,
    true,
    [],
    {},
  ];
  return [
    ...good.map(([sent, stored]) => ({ what: String(sent), sent, stored })),
    ...bad.map((sent) => ({ what: JSON.stringify(sent), sent, messages: notDate })),
  ];
}

function decimalCases(field: SpecifiedField): Case[] {
  return field.places === undefined ? anyDecimalCases(field) : boundedDecimalCases(field);
}

function boundedDecimalCases(field: SpecifiedField): Case[] {
  const { min = 0, max = 0, places = 0 } = field;
  const subject = `The ${label(field)} field`;
  const small = `${subject} must be at least ${min}.`;
  const large = `${subject} must not be greater than ${max}.`;
  const long = `${subject} must not have more than ${places} decimal places.`;
  return [
    ...["0", "5.5", "5.50", "21", "100", "100.00", "0.01"].map((sent) => ({ what: sent, sent, stored: sent })),
    { what: "a number", sent: 19.25, stored: "19.25" },
    { what: "negative", sent: "-0.01", messages: [small] },
    { what: "too large", sent: 100.01, messages: [large] },
    { what: "too long", sent: "1.000", messages: [long] },
    { what: "two faults", sent: "-1.001", messages: [small, long] },
    ...["x", "1,5", "5.", true, [], {}].map((sent) => ({
      what: JSON.stringify(sent),
      sent,
      messages: [`${subject} must be a number.`],
    })),
  ];
}

function anyDecimalCases(field: SpecifiedField): Case[] {
  const notNumber = [`The ${label(field)} field must be a number.`];
  const texts = ["0", "0.5", "-0.5", "7", "12.50", "-12.50", "100", "999999999999999.999999", "0.000001"];
  const numbers: [number, string][] = [
    [0, "0"],
    [-0, "0"],
    [5, "5"],
    [-12.5, "-12.5"],
    [19.99, "19.99"],
    [0.1, "0.1"],
    [0.000001, "0.000001"],
    [999_999_999_999_999, "999999999999999"],
  ];
  const bad = [
    ..."+5 05 00 -05 .5 5. -.5 1e3 1E3 0x10 1,5 --5 - abc NaN Infinity ٥ 0.1234567 1234567890123456".split(" "),
    "1 000",
    "-1234567890123456",
    0.1234567,
    0.0000001,
    1e15,
    -1e21,
    1e300,
    true,
    false,
    [],
    [5],
    {},
  ];
  return [
    ...texts.map((sent) => ({ what: sent, sent, stored: sent })),
    ...numbers.map(([sent, stored]) => ({ what: String(sent), sent, stored })),
    { what: "blanks around", sent: " 12.50\n", stored: "12.50" },
    ...bad.map((sent) => ({ what: JSON.stringify(sent), sent, messages: notNumber })),
  ];
}

function enumCases(field: SpecifiedField): Case[] {
  const [first = ""] = field.values ?? [];
  const wrong = [first.toUpperCase(), `${first}x`, "unknown", 0, 1, true, [first], {}];
  return [
    ...(field.values ?? []).map((value) => ({ what: value, sent: value, stored: value })),
    { what: "blanks around", sent: ` ${first}\n`, stored: first },
    ...wrong.map((sent) => ({
      what: JSON.stringify(sent),
      sent,
      messages: [`The selected ${label(field)} is invalid.`],
    })),
  ];
}
