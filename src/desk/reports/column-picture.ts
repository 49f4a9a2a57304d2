import { html, type Html } from "../../kit/web/html.ts";

const WIDTH = 1_000;

/** Filled, outlined, pale: columns of a group differ without colour, on paper too. */
const LOOKS = [
  html` fill="currentColor"`,
  html` fill="none" stroke="currentColor" stroke-width="1" vector-effect="non-scaling-stroke"`,
  html` fill="currentColor" fill-opacity="0.4"`,
];

/**
 * Groups of at most three columns side by side; null without a positive value.
 * @param said the sentence that says what the picture shows
 * @param width in pixels, or in percent of its room
 */
export function columnPicture(
  groups: readonly (readonly string[])[],
  said: string,
  height: number,
  width = "100%",
): Html | null {
  const most = Math.max(0, ...groups.flat().map(Number));
  if (most === 0) return null;
  const step = WIDTH / groups.length;
  const shapes = LOOKS.map((looks, index) => {
    const columns = groups.flatMap((group, at) => {
      const room = (step * 0.9) / group.length;
      const tall = Math.round((Number(group[index] ?? 0) / most) * (height - 2));
      if (tall <= 0) return [];
      const [x, wide] = [Math.round(at * step + step * 0.08 + room * index), Math.round(room * 0.88)];
      return [`M${x} ${height - 1}v-${tall}h${wide}v${tall}z`];
    });
    return columns.length > 0 && html`<path d="${columns.join("")}"${looks}/>`;
  });
  return html`<svg class="picture" viewBox="0 0 ${WIDTH} ${height}" width="${width}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${said}">${shapes}<path d="M0 ${height - 0.5}H${WIDTH}" stroke="currentColor" vector-effect="non-scaling-stroke"/></svg>`;
}
