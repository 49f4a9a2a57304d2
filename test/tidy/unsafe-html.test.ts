import assert from "node:assert/strict";
import { test } from "node:test";
import { production, withoutComments } from "./checkout.ts";

test("no page has HTML that could run a script", () => {
  const complaints = production.flatMap(({ name, text }) => {
    const [inline] =
      /<script>|<style>|\sstyle="|\son[a-z]+="|srcdoc=|innerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/.exec(
        withoutComments(text),
      ) ?? [];
    const [unsafe] = /\braw\(/.exec(withoutComments(text)) ?? [];
    return [inline, unsafe]
      .filter((found) => found !== undefined)
      .map((found) => `${name}: ${found.trim()} makes HTML past src/kit/web/html.ts`);
  });
  assert.deepEqual(complaints, []);
});
