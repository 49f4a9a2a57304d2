import type { Page } from "playwright-core";

/**
 * Links, buttons and fields that are too small for a thumb: the area around the middle of each that presses it, without
 * scripts, is smaller than 44 pixels. Links within a sentence are left out, as are those that nobody can press.
 */
export async function targetTrouble(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const FAR = 60;
    const LEAST = 43.5;
    const inSentence = "p:not(.actions, .foot) a, .events a:not(.mend), .hint a, li.sentence a, label a, dd a.inline";
    const found = [];
    for (const target of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")) {
      if (!target.checkVisibility({ visibilityProperty: true }) || target.closest(".hidden, .skip")) continue;
      if (target.matches(inSentence) || getComputedStyle(target).pointerEvents === "none") continue;
      target.scrollIntoView({ block: "center", inline: "center" });
      const { x, y, width, height } = target.getBoundingClientRect();
      if (width < 2) continue;
      const labels = [...(target.labels ?? [])];
      const isOwn = (hit) => hit !== null && (target.contains(hit) || labels.some((label) => label.contains(hit)));
      const middle = [x + width / 2, y + Math.min(height, 40) / 2];
      const reach = (right, down) => {
        let steps = 0;
        const at = () => document.elementFromPoint(middle[0] + right * (steps + 1), middle[1] + down * (steps + 1));
        while (steps < FAR && isOwn(at())) steps++;
        return steps;
      };
      const size = [reach(1, 0) + reach(-1, 0) + 1, reach(0, 1) + reach(0, -1) + 1];
      if (Math.min(...size) < LEAST) found.push(size.join(" x ") + " px for a thumb: " + target.outerHTML.slice(0, 160));
    }
    scrollTo(0, 0);
    return found;
  })()`);
}
