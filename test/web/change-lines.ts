/** The changes on a page of the history, as a person reads them, without their times. */
export function changeLines(page: string): string[] {
  const list = /<div id="changes">([^]*)<\/div>\s*<\/main>/.exec(page)?.[1] ?? "";
  return list
    .split(/<li>(?=<time)/)
    .slice(1)
    .map((line) =>
      (line.split("<nav")[0] ?? "")
        .replaceAll(/<time[^]*?<\/time>|<h[23] class="day">[^<]*|<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}
