import { by, type Attack, type AttackedRows, type AttackRequest } from "./attack.ts";

const BOUNDARY = "---------------------------a-boundary";
/** Characters of a file: enough that parsing it costs more than receiving it. */
const FILE = 2 * 2 ** 20;

/** Files that are worst to read, uploaded by a user of the attacking tenant and checked by the server's worker. */
export const fileAttacks: readonly Attack[] = [
  uploads("files with a header of 120,000 columns", Array.from({ length: 120_000 }, (_, n) => `c${n}`).join(",")),
  uploads("files with a quotation mark that is never closed", `name\n"${"a,b\n".repeat(FILE / 4)}`),
  uploads("files with blank lines behind a quotation mark", `name\n"${"\n".repeat(FILE)}`),
  uploads("files with a quotation mark in each line", `name\n${'"\n'.repeat(FILE / 2)}`),
  uploads("files of rows with one fiscal id", `name,tax_id\n${"A,RO1\n".repeat(FILE / 6)}`),
  uploads("files that are cancelled at once", `name\n${"A\n".repeat(FILE / 2)}`, { cancels: true }),
  uploads("files whose sender hangs up", `name\n${"A\n".repeat(FILE / 2)}`, { hangUp: 20 }),
];

function uploads(name: string, csv: string, differs: Partial<Attack> = {}): Attack {
  let body: Buffer | undefined;
  return by("large", name, (rows) => upload(rows, (body ??= formOf(csv))), differs);
}

function upload({ cookie }: AttackedRows, body: Buffer): AttackRequest {
  const headers = {
    cookie,
    "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
    "sec-fetch-site": "same-origin",
  };
  return { method: "POST", path: "/imports", headers, body };
}

/** The form of the page that takes a file, as a browser sends it. */
function formOf(csv: string): Buffer {
  const part = (disposition: string, content: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  return Buffer.from(
    `${part('name="kind"', "companies")}${part('name="file"; filename="a.csv"', csv)}--${BOUNDARY}--\r\n`,
  );
}
