/** An expected error that answers a caller. It takes no stack, which would be a fifth of the work of a refusal. */
export class Stackless extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
