import type { Page } from "playwright-core";

/**
 * What is wrong with the lists of a page: those that are wider than where they stand, days, amounts and fields that are
 * cut; and on a telephone, where a list has no heads, cells that do not say what they are.
 */
export async function listTrouble(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`[...document.querySelectorAll("main .list")].flatMap((list) => {
    const [inner, outer] = [list, list.parentElement].map((each) => each.getBoundingClientRect().right);
    const bare = innerWidth > 720 ? [] : [...list.querySelectorAll("td:is(.date, .number):not(:empty, [data-label])")];
    const whole = [...list.querySelectorAll("td:is(.date, .number, :has(> input:not([type=checkbox])))")];
    return [
      ...(inner > outer + 9 ? ["a list sticks out by " + (inner - outer) + " px"] : []),
      ...whole.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => "this is cut: " + cell.outerHTML),
      ...bare.map((cell) => "nothing says what this is: " + cell.textContent),
    ];
  })`);
}
