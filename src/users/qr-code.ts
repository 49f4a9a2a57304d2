import { renderSVG } from "uqr";

/** The QR code of a text as an inline SVG, black on white whatever is around it: some readers want it so. */
export function qrSvg(text: string): string {
  return renderSVG(text, { border: 2, pixelSize: 4 });
}
