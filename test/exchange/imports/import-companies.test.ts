import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import type { TestTenant } from "../../harness.ts";
import { startImportServer, type Imported } from "./import-server.ts";

const server = await startImportServer();

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as the harness's answers
async function companies(tenant: TestTenant): Promise<any[]> {
  const { body } = await tenant.get("/api/v1/companies?per_page=200");
  return body.data;
}

test("a file's rows become companies, with the values and defaults that POST would give them", async () => {
  const tenant = await server.createTenant({ country: "Moldova" });
  const user = await tenant.createUser("Ana");
  const imported = await server.importing(
    tenant,
    "companies",
    '\ufeff"name",tax_id,phone,assigned_to,employee_count,callback_date,id,colour,status\r\n' +
      `" Alfa, ""A"" SRL ",RO1,+40 722 333 444,${user},5,2026-12-01,999,red,active\r\n` +
      "Beta,,,,,,,,\r\n",
  );
  assert.deepEqual(imported, { created: 2, updated: 0, rejected: [] });
  const [alfa, beta] = await companies(tenant);
  assert.notEqual(alfa.id, 999);
  const { name, tax_id, phone, assigned_user, employee_count, callback_date, status, country } = alfa;
  assert.deepEqual(
    { name, tax_id, phone, assigned_user, employee_count, callback_date, status, country },
    {
      name: 'Alfa, "A" SRL',
      tax_id: "RO1",
      phone: "+40 722 333 444",
      assigned_user: { id: user, name: "Ana" },
      employee_count: 5,
      callback_date: "2026-12-01",
      status: "active",
      country: "Moldova",
    },
  );
  assert.deepEqual([beta.name, beta.tax_id, beta.status], ["Beta", null, "prospect"]);
  const [{ stored }] = (await server.sql(
    "select phone as stored from companies where tenant_id = $1 and tax_id = 'RO1'",
    [tenant.id],
  )) as [{ stored: string }];
  assert.doesNotMatch(stored, /722 ?333/);
});

test("a company of a known tax id is updated: absent columns stay, empty cells are null", async () => {
  const tenant = await server.createTenant();
  const { body } = await tenant.post("/api/v1/companies", {
    name: "Alfa",
    tax_id: "RO1",
    phone: "123",
    city: "Cluj",
    notes: "kept",
  });
  const { body: other } = await tenant.post("/api/v1/companies", { name: "Same", tax_id: "RO2", phone: "5" });
  const imported = await server.importing(tenant, "companies", "tax_id,phone,city\n ro1 ,456,\nRO2,5,\n");
  assert.deepEqual(imported, { created: 0, updated: 2, rejected: [] });
  const [alfa, same] = await companies(tenant);
  const { id, name, tax_id, phone, city, notes } = alfa;
  assert.deepEqual(
    { id, name, tax_id, phone, city, notes },
    { id: body.data.id, name: "Alfa", tax_id: "ro1", phone: "456", city: null, notes: "kept" },
  );
  assert.ok(alfa.updated_at > body.data.updated_at);
  assert.deepEqual(same, other.data, "a row that changes nothing leaves updated_at alone");
});

test("an update follows the rules of PUT, a create those of POST", async () => {
  const tenant = await server.createTenant();
  await tenant.post("/api/v1/companies", { name: "Alfa", tax_id: "RO1", status: "active" });
  const imported = await server.importing(
    tenant,
    "companies",
    "tax_id,name,status,country\nRO1,,,\nRO2,,,\nRO3,New,,\n",
  );
  assert.deepEqual(imported, {
    created: 1,
    updated: 0,
    rejected: [
      {
        line: 2,
        errors: {
          name: ["The name field is required."],
          country: ["The country field must be a string."],
          status: ["The selected status is invalid."],
        },
      },
      { line: 3, errors: { name: ["The name field is required."] } },
    ],
  });
});

test("each rejected row has the line where it starts and the messages of the 422, in the order of the fields", async () => {
  const tenant = await server.createTenant();
  const stranger = await (await server.createTenant()).createUser();
  const imported = await server.importing(
    tenant,
    "companies",
    [
      "email,name,employee_count,assigned_to,notes",
      'x,,-1,,"two\r\nlines"',
      `,Alfa,,${stranger},`,
      "",
      ',Beta,,,"three\n\nlines"',
      `,${"n".repeat(256)},1.5,0,`,
      ",Gam\0ma,,,",
    ].join("\r\n"),
  );
  assert.deepEqual(imported, {
    created: 1,
    updated: 0,
    rejected: [
      {
        line: 2,
        errors: {
          name: ["The name field is required."],
          email: ["The email field must be a valid email address."],
          employee_count: ["The employee count field must be at least 0."],
        },
      },
      { line: 4, errors: { assigned_to: ["The selected assigned to is invalid."] } },
      {
        line: 9,
        errors: {
          name: ["The name field must not be greater than 255 characters."],
          assigned_to: ["The selected assigned to is invalid."],
          employee_count: ["The employee count field must be an integer."],
        },
      },
      { line: 10, errors: { name: ["The name field contains invalid characters."] } },
    ],
  });
});

test("a tax id that comes twice is created by its first row and updated by its second", async () => {
  const tenant = await server.createTenant();
  const imported = await server.importing(tenant, "companies", "name,tax_id\nA,ro1\nB,RO1\nC,Ro1\nD,RO2\n");
  assert.deepEqual(imported, { created: 2, updated: 2, rejected: [] });
  const names = (await companies(tenant)).map(({ name, tax_id }) => `${name} ${tax_id}`);
  assert.deepEqual(names, ["C Ro1", "D RO2"]);
});

test("rows of one tax id share transactions, each finding what the one before wrote", async () => {
  const tenant = await server.createTenant();
  const rows = Array.from({ length: 1_200 }, (_, at) => `Company ${at >> 1},${at % 3 === 0 ? "ro1" : "RO1"}`);
  const csv = ["name,tax_id", ...rows, ",RO1", "Last,RO1"].join("\n");
  const { created, updated, rejected } = await server.importText(tenant, "companies", csv);
  assert.deepEqual([created, updated], [1, 1_200]);
  assert.deepEqual(rejected, [{ line: 1_202, errors: { name: ["The name field is required."] } }]);
  assert.deepEqual(
    (await companies(tenant)).map(({ name }) => name),
    ["Last"],
  );
  const [written] = await server.sql(
    `select count(*)::int as changes, count(distinct xmin::text)::int as transactions from changes
    where tenant_id = $1 and type = 'company'`,
    [tenant.id],
  );
  // Of 1,202 rows, 25 at a time.
  assert.deepEqual(written, { changes: 1_001, transactions: 49 });
});

test("rows of the same tax ids in one batch after the other are written in the order of the file", async () => {
  const tenant = await server.createTenant();
  const rows = (times: number) => Array.from({ length: 700 }, (_, index) => `Company ${index} (${times}),RO${index}`);
  const imported = await server.importing(
    tenant,
    "companies",
    ["name,tax_id", ...rows(1), ...rows(2), ...rows(3)].join("\n"),
  );
  assert.deepEqual(imported, { created: 700, updated: 1_400, rejected: [] });
  const stored = await server.sql(
    `select c.tax_id, c.name, (select string_agg(h.action, ',' order by h.id) from changes h
      where h.tenant_id = c.tenant_id and h.resource_id = c.id) as actions
    from companies c where c.tenant_id = $1 order by c.id`,
    [tenant.id],
  );
  const last = rows(3).map((row) => row.split(","));
  assert.deepEqual(
    stored,
    last.map(([name, tax_id]) => ({ tax_id, name, actions: "created,updated,updated" })),
  );
});

test("ids, and the history, come in the order of the file, however many of its rows are written at once", async () => {
  const tenant = await server.createTenant();
  const rows = Array.from({ length: 4_000 }, (_, index) => {
    const name = index % 400 === 7 ? "" : `Company ${index}`;
    return `${name},${index % 3 === 0 ? "" : `RO${index}`}`;
  });
  await server.importing(tenant, "companies", ["name,tax_id", ...rows].join("\n"));
  const read = async (order: string) =>
    await server.sql(
      `select c.name from companies c join changes h on h.tenant_id = c.tenant_id and h.resource_id = c.id
      where c.tenant_id = $1 order by ${order}`,
      [tenant.id],
    );
  const inFile = rows.filter((row) => row.startsWith("C")).map((row) => ({ name: row.split(",")[0] }));
  assert.deepEqual(await read("c.id"), inFile);
  assert.deepEqual(await read("h.at, c.id"), inFile);
});

test("rows whose tax ids PostgreSQL alone knows to be the same mean one company, though they are written at once", async () => {
  const tenant = await server.createTenant();
  const rows = Array.from({ length: 998 }, (_, index) => `Company ${index},RO${index}`);
  // The program makes another small letter of the capital one: the one that ends a word.
  const csv = ["name,tax_id", ...rows.slice(0, 499), "First,1ΡΟΣ", "Second,1ροσ", ...rows.slice(499)].join("\n");
  const { created, updated, rejected } = await server.importing(tenant, "companies", csv);
  assert.deepEqual({ created, updated, rejected }, { created: 999, updated: 1, rejected: [] });
  const stored = await server.sql("select name from companies where tenant_id = $1 and tax_id = '1ροσ'", [tenant.id]);
  assert.deepEqual(stored, [{ name: "Second" }]);
});

test("a deleted company's tax id is free, and another tenant's is another's", async () => {
  const tenant = await server.createTenant();
  const other = await server.createTenant();
  const { body } = await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1" });
  await tenant.delete(`/api/v1/companies/${body.data.id}`);
  await other.post("/api/v1/companies", { name: "Theirs", tax_id: "RO1" });
  const imported = await server.importing(tenant, "companies", "name,tax_id\nNew,RO1\n");
  assert.deepEqual(imported, { created: 1, updated: 0, rejected: [] });
  assert.deepEqual(
    (await companies(other)).map(({ name }) => name),
    ["Theirs"],
  );
});

test("a malformed row costs only itself", async () => {
  const tenant = await server.createTenant();
  const csv = Buffer.concat([
    Buffer.from('name,city\nA,a"b\nB,\n"C"x,\nD,\n"E,\nF,"f"\nG\nH,h,h\nI'),
    Buffer.from([0xff]),
    Buffer.from(",\nJ,j"),
  ]);
  const imported = await server.importing(tenant, "companies", csv);
  const quotes = ["The row has a quotation mark where CSV allows none, or one that is never closed."];
  assert.deepEqual(imported, {
    created: 6,
    updated: 0,
    rejected: [
      { line: 4, errors: { row: quotes } },
      { line: 6, errors: { row: quotes } },
      { line: 9, errors: { row: ["The row has 3 cells where the header has 2."] } },
      { line: 10, errors: { row: ["The row is not valid UTF-8."] } },
    ],
  });
  assert.deepEqual(
    (await companies(tenant)).map(({ name }) => name),
    ["A", "B", "D", "F", "G", "J"],
  );
});

test("a cell that is no value, or is not there, is none; and an error of a spreadsheet leaves the stored value", async () => {
  const tenant = await server.createTenant();
  const stored = { phone: "+40 1", city: "Cluj", notes: "kept" };
  for (const tax_id of ["RO1", "RO2", "RO3"]) await tenant.post("/api/v1/companies", { name: "A", tax_id, ...stored });
  const csv = [
    "name,tax_id,phone,city,notes",
    "A,RO1,#N/A,NULL,'-x",
    'A,RO2,="0722",-,#REF!',
    "A,RO3,2",
    "A,RO4,,'-x,'-",
    "B,#N/A,,,",
    "C,#N/A,,,",
    "D,NULL,,,",
    "E,x,,,",
    '"F","4,07E+09",,,',
  ].join("\r");
  const { created, updated, rejected } = await server.importing(tenant, "companies", csv);
  assert.deepEqual([created, updated], [5, 3]);
  const message = "The spreadsheet has shortened this number. Format the column as text and save it again.";
  assert.deepEqual(rejected, [{ line: 10, errors: { row: [message] } }]);
  assert.deepEqual(
    (await companies(tenant)).map(({ name, tax_id, phone, city, notes }) => [name, tax_id, phone, city, notes]),
    [
      ["A", "RO1", "+40 1", null, "-x"],
      ["A", "RO2", "0722", null, "kept"],
      ["A", "RO3", "2", "Cluj", "kept"],
      ["A", "RO4", null, "-x", "-"],
      ["B", null, null, null, null],
      ["C", null, null, null, null],
      ["D", null, null, null, null],
      ["E", null, null, null, null],
    ],
  );
});

test("a file that nobody can have meant is refused with one line", async () => {
  const tenant = await server.createTenant();
  for (const [kind, csv, message] of [
    ["companies", "", "The file is empty: its first row names the columns."],
    ["companies", "tax,city\nRO1,Cluj\n", "The header has no column name."],
    ["companies", "name,city,name\n", "The header names the column name twice."],
    ["companies", `name${",".repeat(500)}\nA\n`, "The header names more than 500 columns."],
    [
      "companies",
      `name,${Array.from({ length: 100_000 }, (_, at) => at).join(",")}\n`,
      "The header names more than 500 columns.",
    ],
    ["contacts", "first_name,last_name\n", "The header has no column company_id or company_tax_id."],
    ["deals", "company_id,status\n", "The header has no column number or title."],
  ] as const) {
    await assert.rejects(server.importText(tenant, kind, csv), { name: "Refusal", message });
  }
  assert.match(await server.refused(tenant, "companies", '"name\n'), /^The header row cannot be read\./);
  const unknownKind = await server.refused(tenant, "people", "name\n");
  assert.match(unknownKind, /^There is no kind "people": name one of companies, contacts, /);
  assert.match(await server.refused(tenant, "companies", "name\n", "--from-line", "x"), /--from-line/);
  const unknownTenant = await server.run("import", "companies", "--tenant", "nobody", server.file("name\nA\n"));
  assert.deepEqual([unknownTenant.code, unknownTenant.stdout], [1, ""]);
  assert.match(unknownTenant.stderr, /nobody/);
  const missingFile = await server.run("import", "companies", "--tenant", tenant.slug, "/nowhere/x.csv");
  assert.deepEqual([missingFile.code, missingFile.stdout], [1, ""]);
  assert.match(missingFile.stderr, /^\/nowhere\/x\.csv cannot be opened: no such file or directory\. Check the path/);
  const directory = await server.run("import", "companies", "--tenant", tenant.slug, "/tmp", "--json");
  assert.match(directory.stderr, /^\/tmp is a directory: name the CSV file\.\n$/);
  const failing = await server.run("import", "companies", "--tenant", tenant.slug, "/proc/self/mem");
  assert.match(failing.stderr, /i\/o error/);
  assert.doesNotMatch(failing.stderr, /database/, "the disk's failure");
  assert.deepEqual(await companies(tenant), []);
});

test("500 columns are not too many, and a row of more cells is refused by itself", async () => {
  const tenant = await server.createTenant();
  const others = Array.from({ length: 499 }, (_, at) => `c${at}`);
  const csv = `name,${others.join(",")}\nA${",".repeat(499)}\nB${",".repeat(500)}\n`;
  assert.deepEqual(await server.importing(tenant, "companies", csv), {
    created: 1,
    updated: 0,
    rejected: [{ line: 3, errors: { row: ["The row has more than 500 cells."] } }],
  });
});

test("--from-line goes on in the middle of a file", async () => {
  const tenant = await server.createTenant();
  const imported = await server.importing(tenant, "companies", "name\nA\nB\nC\n", "--from-line", "3");
  assert.deepEqual(imported, { created: 2, updated: 0, rejected: [] });
});

test("two imports of the same file at once make each company once", async () => {
  const tenant = await server.createTenant();
  const rows = Array.from({ length: 1_200 }, (_, index) => `Company ${index},RO${index}`);
  const forth = ["name,tax_id", ...rows].join("\n");
  const back = ["name,tax_id", ...rows.toReversed()].join("\n");
  const both = await Promise.all([
    server.importing(tenant, "companies", forth),
    server.importing(tenant, "companies", back),
  ]);
  assert.deepEqual(
    both.flatMap(({ rejected }) => rejected),
    [],
  );
  assert.equal(both[0].created + both[1].created, 1_200);
  assert.equal(both[0].updated + both[1].updated, 1_200);
  const { body } = await tenant.get("/api/v1/companies");
  assert.equal(body.total, 1_200);
});

test("a long file leaves the planner a count of most of its rows, and not only of its first thousand", async () => {
  const alone = await startImportServer();
  const tenant = await alone.createTenant();
  const rows = Array.from({ length: 3_900 }, (_, n) => `Firm ${n}\n`).join("");
  assert.equal((await alone.importText(tenant, "companies", `name\n${rows}`)).created, 3_900);
  // The first thousand are counted while others are written, and all again if fewer were counted than came after that.
  const [known] = await alone.sql("select reltuples::integer as rows from pg_class where oid = 'companies'::regclass");
  assert.ok(Number(known?.rows) >= 1_900, `${String(known?.rows)} rows`);
});

test("without --json an import is reported in words", async () => {
  const tenant = await server.createTenant();
  const file = server.file("name\nA\n \n");
  const { code, stdout } = await server.run("import", "companies", "--tenant", tenant.slug, file);
  assert.equal(code, 0);
  assert.equal(stdout, "1 created, 0 updated, 1 rejected.\nline 3: The name field is required.\n");
});

test("updated rows that were the same already are counted separately, as in a batch", async () => {
  const tenant = await server.createTenant();
  await server.importing(tenant, "companies", "tax_id,name\nRO1,A\nRO2,B\n");
  const file = server.file("tax_id,name\nRO1,A\nRO2,C\nRO3,D\n");
  const { stdout } = await server.run("import", "companies", "--tenant", tenant.slug, file);
  assert.equal(stdout, "1 created, 2 updated (1 unchanged), 0 rejected.\n");
});

test("of many rejected rows the report has the first thousand and their number, and a file has all", async () => {
  const tenant = await server.createTenant();
  const csv = `name,email\n${"A,not an address\n".repeat(1_500)}B,b@example.com\n`;
  const report = `${server.file("")}.rejected.csv`;
  const imported = await server.importing(tenant, "companies", csv, "--rejected", report);
  const { created, rejected, rejected_count: count } = imported as Imported & { rejected_count: number };
  assert.deepEqual([created, rejected.length, count, rejected.at(-1)?.line], [1, 1_000, 1_500, 1_001]);
  const lines = fs.readFileSync(report, "utf8").trimEnd().split("\n");
  assert.deepEqual(lines.slice(0, 2), ["line,messages", "2,The email field must be a valid email address."]);
  assert.equal(lines.length, 1_501);

  const again = await server.refused(tenant, "companies", csv, "--rejected", report);
  assert.equal(again, `${report} already exists. Name another file for the rejected rows.`);
  const { stdout } = await server.run("import", "companies", "--tenant", tenant.slug, server.file(csv));
  const counts = "0 created, 1 updated (1 unchanged), 1500 rejected.\nThere already, by name or e-mail address: 1.\n";
  assert.ok(stdout.startsWith(`${counts}line 2: `), stdout.slice(0, 200));
  assert.match(stdout, /\n\.\.\. and 500 more; --rejected FILE writes all of them\.\n$/);
});

test("the command line knows custom fields by their keys and their labels, of companies, contacts and invoices", async () => {
  const tenant = await server.createTenant();
  for (const noun of ["company", "contact", "invoice"]) {
    const options = [{ value: "gold" }, { value: "silver" }];
    await tenant.post("/api/v1/custom-fields", {
      noun,
      label: "Listă de prețuri",
      key: "list",
      kind: "choice",
      options,
    });
    await tenant.post("/api/v1/custom-fields", { noun, label: "Visits", kind: "yes_no" });
  }
  const imported = await server.importing(
    tenant,
    "companies",
    "name,tax_id,custom.list,VISITS\nA,RO1,gold,true\nB,RO2,bronze,\nC,RO3,,false\n",
  );
  assert.deepEqual(
    [imported.created, imported.rejected],
    [2, [{ line: 3, errors: { "custom.list": ["The selected custom.list is invalid."] } }]],
  );
  const again = await server.importing(tenant, "companies", "tax_id,lista de preturi,custom.visits\nRO1,,false\n");
  assert.equal(again.updated, 1);
  await server.importing(tenant, "contacts", "first_name,last_name,company_tax_id,visits\nA,B,RO1,true\n");
  await server.importing(tenant, "invoices", "number,company_tax_id,custom.list\n1,RO1,silver\n");
  const [first, second] = await companies(tenant);
  assert.deepEqual([first.metadata, second.metadata], [{ visits: false }, { visits: false }]);
  const { id } = first;
  const { contacts, invoices } = (await tenant.get(`/api/v1/companies/${id}?include=contacts,invoices`)).body.data;
  assert.deepEqual([contacts.data[0].metadata, invoices.data[0].metadata], [{ visits: true }, { list: "silver" }]);
});
