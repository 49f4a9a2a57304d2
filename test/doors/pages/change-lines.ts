/** The changes on a page of the history, as a person reads them, without their times; folded ones each by itself. */
export function changeLines(page: string): string[] {
  const list = /<div id="changes">([^]*)<\/div>\s*<\/main>/.exec(page)?.[1] ?? "";
  return unfolded(list)
    .split(/<li>(?=<time)/)
    .slice(1)
    .map((line) =>
      (line.split("<nav")[0] ?? "")
        .replaceAll(/<time[^]*?<\/time>|<b class="initials"[^]*?<\/b>|<h[23] class="day">[^<]*|<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

/** The list with the lines of each group in its place. */
function unfolded(list: string): string {
  return list
    .replaceAll(/<ul class="differences">[^]*?<\/ul>/g, (differences) => differences.replaceAll("<li>", "<i>"))
    .replaceAll(/<li><time[^>]*>[^<]*<\/time>\s*<div><details class="folded"><summary>[^]*?<\/summary>/g, "")
    .replaceAll(/<li>(?!<time)/g, "<li><time></time>");
}
