import { test } from "node:test";
import { assertBounded } from "./bounds.ts";

test("a file of a few lines has several importers, or gives the reason why it stands alone", () =>
  assertBounded("slivers"));
