import type { Page } from "playwright-core";

/** Where the lines of text in the cells of a row are. Run in the browser. */
const LINES = `(row) => [...row.cells].flatMap((cell) => {
  const isCut = cell.scrollWidth > cell.clientWidth;
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  return texts.flatMap((text) => {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".hidden, [popover], details > div")) return [];
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].map(({ left, right, top, bottom }) => {
      return { cell, text, left, right: isCut ? Math.min(right, cell.getBoundingClientRect().right) : right, top, bottom };
    });
  });
})`;

/**
 * What is wrong with the lists of a page: those that are wider than where they stand, days, amounts and fields that are
 * cut, texts of a row that cover each other; and on a telephone, where a list has no heads, cells that do not say what
 * they are.
 */
export async function listTrouble(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`[...document.querySelectorAll("main .list")].flatMap((list) => {
    const [inner, outer] = [list, list.parentElement].map((each) => each.getBoundingClientRect().right);
    const bare = innerWidth > 720 ? [] : [...list.querySelectorAll("td:is(.date, .number):not(:empty, [data-label])")];
    const whole = [...list.querySelectorAll("td:is(.date, .number, :has(> input:not([type=checkbox])))")];
    const covers = (one, other) => one.cell !== other.cell
      && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
      && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
    return [
      ...(inner > outer + 9 ? ["a list sticks out by " + (inner - outer) + " px"] : []),
      ...whole.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => "this is cut: " + cell.outerHTML),
      ...bare.map((cell) => "nothing says what this is: " + cell.textContent),
      ...[...list.rows].map(${LINES}).flatMap((lines) => lines.flatMap((one, index) => lines.slice(index + 1)
        .filter((other) => covers(one, other))
        .map((other) => "one covers the other: " + one.text.data + ", " + other.text.data))),
    ];
  })`);
}
