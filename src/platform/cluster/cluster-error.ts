/** The embedded PostgreSQL can't be run here; the message is one line for an operator. */
export class ClusterError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClusterError";
  }
}
