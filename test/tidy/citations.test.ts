import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { documents, production, read, ROOT, withoutLineBreaks, written } from "./checkout.ts";

test("no citation leads out of this repository", () => {
  const outside = /\b(?:specification|decisions)\s+\(?\d|\bthe specification\b|\bspecification's\b/i;
  const complaints = [...written, ...documents]
    .filter(({ name, text }) => name !== "test/tidy/citations.test.ts" && outside.test(withoutLineBreaks(text)))
    .map(({ name }) => `${name}: cite docs/contract.md, docs/operations.md or docs/decisions/ by path and number`);
  assert.deepEqual(complaints, []);
});

test("every citation leads to a page of this repository, and a numbered one to a heading on it", () => {
  const pages = new Map(documents.map(({ name, text }) => [name, text]));
  const complaints = [...written, ...documents].flatMap(({ name, text }) =>
    [
      ...withoutLineBreaks(text).matchAll(
        /\b(docs\/[\w/-]+\.md)(?: (\d+(?:\.\d+)?(?:(?:,| and| to) \d+(?:\.\d+)?)*))?/g,
      ),
    ].flatMap(([, page = "", numbers = ""]) => {
      const cited = pages.get(page);
      if (cited === undefined) return [`${name}: ${page} does not exist`];
      return (numbers.match(/\d+(?:\.\d+)?/g) ?? [])
        .filter((number) => !hasHeading(cited, number))
        .map((number) => `${name}: ${page} has no section ${number}`);
    }),
  );
  assert.deepEqual(complaints, []);
});

test("every file of the source that a page or a comment names by its folder is there", () => {
  const functions = fs.globSync("migrations/**/*.sql", { cwd: ROOT });
  const files = [...written.map(({ name }) => name), ...functions];
  const tables = functions.map((name) => ({ name, text: read(name) }));
  // The recipes of CONTRIBUTING.md make new files.
  const naming = [...production, ...tables, ...documents].filter(({ name }) => name !== "CONTRIBUTING.md");
  const complaints = naming.flatMap(({ name, text }) =>
    [...text.matchAll(/(?<![\w./{}*-])[\w-]+(?:\/[\w.-]+)*\/[\w.-]+\.(?:ts|sql)\b/g)]
      .map(([file]) => file)
      .filter((file) => !files.some((each) => `/${each}`.endsWith(`/${file}`)))
      .map((file) => `${name}: ${file} does not exist`),
  );
  assert.deepEqual(complaints, []);
});

test("a page shows every picture of docs/images/, and each picture that a page shows is there", () => {
  const shown = documents.flatMap(({ name, text }) =>
    [...text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, to = ""]) => path.join(path.dirname(name), to)),
  );
  const pictures = fs.globSync("docs/images/*", { cwd: ROOT }).toSorted();
  assert.deepEqual([...new Set(shown)].toSorted(), pictures, "show a picture on a page, or delete it");
});

test("the contract is numbered without a gap, and what it or a neighbour cites by number alone is there", () => {
  const contract = read("docs/contract.md");
  const numbers = [...contract.matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(([, number = ""]) => number);
  const counted = numbers.map((number, index) => {
    const [section = 0, rule = 0] = (numbers[index - 1] ?? "0").split(".").map(Number);
    return number.includes(".") ? `${section}.${rule + 1}` : `${section + 1}`;
  });
  assert.deepEqual(numbers, counted, "number the headings of docs/contract.md without a gap");
  const everyPage = documents.map(({ text }) => text).join("\n");
  const citations = [
    ...contract.matchAll(/(?<=[(\s])(\d{1,2}\.\d{1,2})(?=[),.;:]*\s)/g),
    ...everyPage.matchAll(/\(contract\.md\) (\d+(?:\.\d+)?)/g),
  ];
  const cited = citations.map(([, number = ""]) => number);
  assert.ok(cited.length > 50, `${cited.length} citations are read`);
  assert.deepEqual(
    cited.filter((number) => !numbers.includes(number)),
    [],
    "cite a number that a heading of docs/contract.md has",
  );
});

/** Whether a page has the section `5` or `5.4`. */
function hasHeading(page: string, number: string): boolean {
  return new RegExp(String.raw`^#+ ${number.replace(".", String.raw`\.`)}\.? `, "m").test(page);
}
