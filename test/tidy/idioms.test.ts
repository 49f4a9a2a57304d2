import { test } from "node:test";
import { assertBounded } from "./bounds.ts";

test("nouns and technical verbs stand where an idiom would make the reader stop", () => assertBounded("idioms"));
