/** What an operator asked for is not possible, or not meant; the message is one line that says why. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
