/**
 * Phrases that a reader stumbles over, with what to write instead. They stand for a number, for a noun, or for a
 * technical verb that would say more. Each is matched as whole words, in upper and lower case, over line breaks.
 */
export const IDIOMS: readonly { says: readonly string[]; plainly: string }[] = [
  {
    says: ["so many", "so much", "so often", "so long", "so few", "so large a", "so large as"],
    plainly: "name the number, the rate, the size or the limit",
  },
  {
    says: ["whoever", "whomever", "whosever", "whosoever"],
    plainly: "name the actor: the caller, the user, the operator, the process",
  },
  {
    says: ["who asks", "who ask", "who asked", "that asks", "that ask", "that asked"],
    plainly: "name the caller, the client, the user or the request",
  },
  { says: ["in force"], plainly: 'write "active", "valid" or "current" before the noun: "active filters"' },
  { says: ["of what is", "of what was", "what is none"], plainly: "name the thing, and negate the verb" },
  {
    says: [
      "what is there",
      "what was there",
      "what there is",
      "what is theirs",
      "what is not theirs",
      "what is not there",
    ],
    plainly: "name the thing: the stored row, the existing file, another tenant's data",
  },
  {
    says: ["is told", "are told", "was told", "were told", "be told", "been told", "being told", "not told"],
    plainly: "is notified, receives, is given, or reads",
  },
  { says: ["tells", "tell of", "told of", "telling of"], plainly: "reports, shows, names, notifies or reveals" },
  {
    says: ["asks the database", "ask the database", "asked of the database", "asks postgresql", "asks nothing"],
    plainly: "queries, or sends no query",
  },
  { says: ["beside itself", "beside themselves"], plainly: "at the same time, twice at once" },
  {
    says: ["in each other's way", "in the way of", "in its way", "in their way"],
    plainly: "conflicts with, or blocks",
  },
  { says: ["answer alike", "answers alike"], plainly: "returns the same response" },
  { says: ["come about", "comes about", "came about"], plainly: "happens, or is caused by" },
  { says: ["it is through", "they are through", "is through with"], plainly: "has finished, has ended" },
  {
    says: ["hear of", "hears of"],
    plainly: "is notified of, receives, or reads",
  },
  {
    says: ["become of", "becomes of", "became of"],
    plainly: "name the outcome",
  },
  { says: ["let in", "lets in", "shut out", "shuts out"], plainly: "is admitted or refused, signs in, is locked out" },
  { says: ["let go", "lets go"], plainly: "releases, or closes" },
  {
    says: ["set aside", "sets aside", "put aside", "puts aside"],
    plainly: "is stopped, suspended, removed or given a lane of its own",
  },
  { says: ["again and again"], plainly: "repeatedly, or how often" },
  { says: ["in vain"], plainly: "without a result, or not in time" },
  { says: ["goes by", "go by"], plainly: "uses, follows, or depends on" },
  { says: ["one's own"], plainly: "the user's own, the caller's own, or its own" },
  { says: ["as missing as"], plainly: "is a 404 too" },
  { says: ["none that"], plainly: "no ... that, or negate the verb" },
  { says: ["anew"], plainly: "again" },
  { says: ["the way to", "the way from"], plainly: "the link to, the path to, the client of, or how to" },
  { says: ["stands", "is there already"], plainly: "is, exists, or is written" },
  { says: ["of ours", "of theirs"], plainly: "our, their, Liaison's" },
  { says: ["as far as"], plainly: "name the condition or the limit: if, what, until" },
];
