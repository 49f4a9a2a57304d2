import fs from "node:fs";
import path from "node:path";
import { WITHOUT_TRANSACTION } from "../../src/platform/postgres/migrations/migration-files.ts";
import { statementsOf } from "../../src/platform/postgres/migrations/sql-statements.ts";
import { RELEASED } from "./previous-release.ts";

/**
 * What a migration must not do while requests go on: hold a lock that they wait for, for as long as a table has rows.
 * Each complaint says what to write instead (migrations/README.md has it at length).
 */

/** A statement that is brief for a reason that its text does not show says so above itself. */
const BRIEF = /^-- Brief: \S/m;

const REPEATABLE =
  /^(?:create (?:unique )?index concurrently if not exists \w|drop index concurrently if exists \w|alter table \w+ validate constraint \w|create or replace trigger \w|call keep_history\(|do |analyze )/;

type Rule = { refused: RegExp; instead: string };

const STEPS = "fill it in steps that commit, in a migration without a transaction";
const NOT_VALID = "add it `not valid` here, and validate it in a migration without a transaction";

/** Of a statement about a table that may have rows. */
const ON_ROWS: Rule[] = [
  {
    refused: /^create (?:unique )?index (?!concurrently)/,
    instead: "`create index concurrently if not exists`, in a migration without a transaction",
  },
  { refused: /\balter (?:column )?\w+ (?:set data )?type\b/, instead: `add another column, and ${STEPS}` },
  {
    refused: /\badd (?:constraint \w+ )?(?:check|foreign key)\b(?!.*\bnot valid\b)/,
    instead: NOT_VALID,
  },
  {
    refused: /\badd (?:constraint \w+ )?(?:unique|primary key|exclude)\b(?! using index)/,
    instead: "build its index concurrently, then `add constraint ... using index`",
  },
  {
    refused:
      /\badd (?:column )?(?:if not exists )?(?!(?:constraint|foreign|check|unique|primary|exclude)\b)\w+ [^,]*\b(?:check|references|unique|primary key)\b/,
    instead: `add the column alone, then its constraint: ${NOT_VALID}`,
  },
  {
    refused: /\badd (?:column )?[^,]*(?:\bgenerated\b|serial\b|\bdefault (?!now\(\)|current_)[^,]*\()/,
    instead: `add the column without that, and ${STEPS}`,
  },
  {
    refused: /\bset not null\b/,
    instead: "let a validated `check (... is not null)` prove it first, and say so above it: `-- Brief: proved by ...`",
  },
  { refused: /\bset (?:tablespace|logged|unlogged|access method)\b/, instead: "nothing: it writes the table anew" },
  { refused: /\bvalidate constraint\b/, instead: "the same, in a migration without a transaction" },
  { refused: /^(?:update|delete from|insert into .*\bselect|truncate|merge into)\b/, instead: STEPS },
  { refused: /^(?:lock|cluster|vacuum|reindex)\b/, instead: "nothing: requests would wait for it" },
];

/** The table that a statement is about, as the first word behind these. */
const TABLE =
  /^(?:create (?:unique )?index (?:if not exists )?(?!on )\w+ on (?:only )?|alter table (?:if exists )?(?:only )?|update (?:only )?|delete from |insert into |truncate (?:table )?|merge into |lock (?:table )?|cluster |vacuum (?:full )?|reindex table )(\w+)/;

/** Complaints about the migrations that are not released yet. */
export function longLocks(directory: string): string[] {
  const files = fs.readdirSync(directory).filter((name) => /^\d+_.*\.sql$/.test(name) && name > `${RELEASED}_~`);
  const texts = files.map((name) => ({ name, sql: fs.readFileSync(path.join(directory, name), "utf8") }));
  const created = new Set(texts.flatMap(({ sql }) => statementsOf(sql).flatMap(tableCreatedBy)));
  return texts.flatMap(({ name, sql }) => complaintsAbout(sql, created).map((complaint) => `migrations/${name}: ${complaint}`));
}

/** @param created the tables that have no rows yet where these migrations come */
export function complaintsAbout(sql: string, created: ReadonlySet<string>): string[] {
  if (WITHOUT_TRANSACTION.test(sql)) {
    return statementsOf(sql)
      .filter((statement) => !REPEATABLE.test(plain(statement)))
      .map((statement) => `${excerpt(statement)}: without a transaction, every statement must be one that can be repeated`);
  }
  return statementsOf(sql).flatMap((statement) => {
    if (BRIEF.test(statement)) return [];
    return doneBy(plain(statement)).flatMap((done) => {
      const table = TABLE.exec(done)?.[1];
      if (table !== undefined && created.has(table)) return [];
      const rule = ON_ROWS.find(({ refused }) => refused.test(done));
      return rule === undefined ? [] : [`${excerpt(statement)}: ${rule.instead}`];
    });
  });
}

function tableCreatedBy(statement: string): string[] {
  const [, table] = /^create table (?:if not exists )?(\w+)/.exec(plain(statement)) ?? [];
  return table === undefined ? [] : [table];
}

/** A block's own statements, and any other statement as it is; a function's body is not run by its making. */
function doneBy(statement: string): string[] {
  const [, , block] = /^do (?:language \w+ )?\$(\w*)\$(.*)\$\1\$/.exec(statement) ?? [];
  if (block !== undefined) return block.split(/;|\bbegin\b|\bthen\b|\bloop\b|\belse\b/).map((part) => part.trim());
  return /^create (?:or replace )?(?:function|procedure)\b/.test(statement) ? [] : [statement];
}

function plain(statement: string): string {
  const bare = statement.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, "").replaceAll('"', "");
  return bare.replaceAll(/\s+/g, " ").trim().toLowerCase();
}

function excerpt(statement: string): string {
  const text = plain(statement);
  return `\`${text.length > 100 ? `${text.slice(0, 100)}...` : text}\``;
}
