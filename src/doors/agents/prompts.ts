import { ProtocolError, ProtocolErrorCode, type GetPromptResult } from "@modelcontextprotocol/server";
import { batchKinds } from "./batches.ts";

type Prompt = {
  name: string;
  title: string;
  description: string;
  /** `values`: the only texts that it may be. */
  argument?: { name: string; description: string; values?: readonly string[] };
  text: (given: string) => string;
};

const kinds = Object.keys(batchKinds);

const prompts: readonly Prompt[] = [
  {
    name: "check_company",
    title: "Check a company",
    description: "Is the company with this tax id complete, and is everything in order with it?",
    argument: { name: "tax_id", description: "The fiscal id of the company." },
    text: (taxId) =>
      `Check the company with the tax id in the next line.\n${taxId}\n` +
      "Read it by get_company with contacts, addresses and invoices. Name missing or odd facts: no contact, no e-mail, no " +
      "delivery address, overdue invoices, orders that need attention. Change nothing; propose the changes.",
  },
  {
    name: "stuck_orders",
    title: "Orders that are stuck",
    description: "Which orders need a person, and what each needs.",
    text: () =>
      "Find the invoices whose orders need attention: read recent_changes of invoices, and list_invoices of the companies " +
      "in question with wms_state failed or unknown. Use explain_order for each. Answer with a table: invoice, company, " +
      "reason, next step. Send nothing.",
  },
  {
    name: "prepare_call",
    title: "Prepare a call",
    description: "What to know before calling a company.",
    argument: { name: "company", description: "The id of the company." },
    text: (company) =>
      `Prepare a call with the company whose id is in the next line.\n${company}\n` +
      "Read get_company with contacts and invoices, and history. Answer in ten lines at most: whom to call, what happened " +
      "lately, open invoices and orders, and what to ask. After the call, offer to log_activity.",
  },
  {
    name: "reconcile_csv",
    title: "Compare a CSV file",
    description: "Compare the rows of a CSV file with the records, and prepare the differences as a batch.",
    argument: { name: "kind", description: `One of ${kinds.join(", ")}.`, values: kinds },
    text: (kind) =>
      `The person gives you a CSV file with records of the kind in the next line.\n${kind}\n` +
      "Match its columns with the fields of liaison://schema. Look each row up by tax id, number or external id. Show the " +
      "differences, then use preview_batch with at most 100 items at a time. Use apply_batch only after the person agreed.",
  },
];

export const listedPrompts = prompts.map(({ name, title, description, argument }) => ({
  name,
  title,
  description,
  arguments: argument === undefined ? [] : [{ name: argument.name, description: argument.description, required: true }],
}));

const LONGEST = 200;

/** Throws ProtocolError for an unknown prompt and for a missing argument. */
export function promptOf(name: string, given: Readonly<Record<string, unknown>>): GetPromptResult {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such prompt.");
  const { argument, description, text } = prompt;
  const line = argument === undefined ? "" : lineOf(given[argument.name]);
  if (argument !== undefined && (line === "" || argument.values?.includes(line) === false)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The prompt needs ${argument.name}: ${argument.description}`,
    );
  }
  return { description, messages: [{ role: "user", content: { type: "text", text: text(line) } }] };
}

/** A text in one line; empty for anything else, and for a text that is too long. */
function lineOf(value: unknown): string {
  return typeof value === "string" && value.length <= LONGEST ? value.replaceAll(/\s+/g, " ").trim() : "";
}
