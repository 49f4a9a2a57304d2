import type { Reference } from "../../kit/openapi/reference.ts";
import { integerSchema, nullable } from "../../kit/openapi/schema.ts";

export const reportTag = { name: "Reports", description: "Sums of everything, each in one snapshot." };

export const amountSchema = { type: "string", examples: ["1250.50"] };
export const daySchema = { type: "string", format: "date" };
export const currencySchema = nullable({ type: "string", examples: ["RON"] });

/** The parameters of every report. */
export const filterParameters: NonNullable<Reference["query"]> = [
  {
    name: "currency",
    in: "query",
    description: "Only this currency.",
    schema: { type: "string", examples: ["RON"] },
  },
  {
    name: "assigned_to",
    in: "query",
    description: "Only the companies of this user; 0 for those without an owner.",
    schema: { ...integerSchema(0), examples: [1] },
  },
];
