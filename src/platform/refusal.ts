/** The operator requested something impossible or clearly unintended; the message is one line with the reason. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
