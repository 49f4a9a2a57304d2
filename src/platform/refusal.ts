/** An operator asked for something impossible, or that cannot be meant; the message is one line that says why. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
