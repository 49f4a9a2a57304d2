/** What paper-layout.ts uses of pdfmake. Its published types bring those of browsers, which Node's contradict. */
declare module "pdfmake" {
  type Margin = [left: number, top: number] | [left: number, top: number, right: number, bottom: number];

  type Looks = {
    fontSize?: number;
    bold?: boolean;
    color?: string;
    alignment?: "left" | "right";
    margin?: Margin;
    width?: number | "*";
  };

  type TableNode = { table: { body: unknown[] } };

  export type Content =
    | string
    | Content[]
    | (Looks & { text: Content })
    | (Looks & { stack: Content[]; unbreakable?: boolean })
    | (Looks & { columns: Content[]; columnGap?: number })
    | (Looks & { image: string; fit: [width: number, height: number] })
    | (Looks & {
        table: { headerRows: number; dontBreakRows: boolean; widths: number[]; body: Content[][] };
        layout: {
          hLineWidth(at: number, node: TableNode): number;
          vLineWidth(): number;
          hLineColor(at: number, node: TableNode): string;
          paddingLeft(): number;
          paddingRight(): number;
          paddingTop(): number;
          paddingBottom(): number;
        };
      });

  export type Layout = {
    pageSize: "A4";
    pageMargins: Margin;
    language: string;
    displayTitle: boolean;
    info: { title: string; author: string; creator: string; producer: string };
    defaultStyle: { font: string; fontSize: number; lineHeight: number };
    watermark?: { text: string; color: string; opacity: number; bold: boolean; angle: number; fontSize: number };
    footer(page: number, pages: number): Content;
    content: Content[];
  };

  const pdfmake: {
    setFonts(fonts: Record<string, { normal: string; bold: string }>): void;
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void;
    setLocalAccessPolicy(isAllowed: (file: string) => boolean): void;
    createPdf(layout: Layout): { getBuffer(): Promise<Buffer> };
  };
  export default pdfmake;
}
