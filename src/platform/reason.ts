/**
 * The sentences of a union of reasons, by their codes. A reason is data: a code, and the parameters of its sentence.
 * Each language has a table, and one without a sentence for a code does not compile.
 * @typeParam Also further parameters of each sentence, before its reason
 */
export type Sentences<Reason extends { code: string }, Also extends unknown[] = []> = {
  readonly [Code in Reason["code"]]: (...parts: [...Also, OfCode<Reason, Code>]) => string;
};

type OfCode<Reason, Code> = Reason extends { code: infer Codes } ? (Code extends Codes ? Reason : never) : never;

/**
 * The sentence of a reason.
 * @param also further parameters of each sentence, before the reason
 */
export function sentenceOf<Reason extends { code: string }, Also extends unknown[]>(
  sentences: Sentences<Reason, Also>,
  reason: Reason,
  ...also: Also
): string {
  const say = sentences[reason.code as Reason["code"]] as (...parts: [...Also, Reason]) => string;
  return say(...also, reason);
}
