import net from "node:net";

const END_OF_HEAD = "\r\n\r\n";

/** A connection for one GET after another. It reads only the status of an answer and its length. */
export class Connection {
  readonly #socket: net.Socket;
  /** Called with the status of the answer; 0 if there is none. */
  #answered: ((status: number) => void) | null = null;
  #head = "";
  /** The bytes that are left of the body; null before they are known. */
  #left: number | null = null;

  constructor({ hostname, port }: URL) {
    this.#socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", () => this.close());
    this.#socket.on("close", () => this.#end(0));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Sends a request once the last one is answered. Returns the status of its answer; 0 if there is none in time. */
  async get(request: string, patienceMs: number): Promise<number> {
    const patience = setTimeout(() => this.close(), patienceMs);
    const status = await new Promise<number>((resolve) => {
      this.#answered = resolve;
      this.#socket.write(request);
    });
    clearTimeout(patience);
    return status;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#left === null) {
      this.#head += chunk.toString("latin1");
      const end = this.#head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1];
      // Nothing says where another answer ends.
      if (length === undefined) return this.close();
      this.#left = Number(length) - (this.#head.length - end - END_OF_HEAD.length);
    } else this.#left -= chunk.length;
    if (this.#left <= 0) this.#end(Number(this.#head.slice(9, 12)));
  }

  #end(status: number): void {
    [this.#head, this.#left] = ["", null];
    this.#answered?.(status);
    this.#answered = null;
  }
}
