import { encode } from "uqr";
import { html, type Html } from "../../kit/web/html.ts";

/** Light squares around the code, which readers need. */
const BORDER = 2;

/**
 * The QR code of a text as an inline SVG, black on white in dark mode too: some readers need it.
 * @param label for screen readers
 */
export function qrSvg(text: string, label: string): Html {
  const { data, size } = encode(text, { border: BORDER });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="white"/><path d="${squares.join("")}" fill="black"/></svg>`;
}
