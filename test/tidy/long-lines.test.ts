import { test } from "node:test";
import { assertBounded } from "./bounds.ts";

test("a line of a comment or a page has at most 120 columns", () => assertBounded("columns"));
