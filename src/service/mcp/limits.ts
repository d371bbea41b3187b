/** Limits of what a server can make Modelport store, send to a model or wait for. */
export const limits = {
  /** One message of a server. */
  messageBytes: 4_000_000,
  tools: 200,
  /** All definitions of a server together. */
  definitionsBytes: 1_000_000,
  /** What a model reads of a description. */
  descriptionCharacters: 2_000,
  /** What a model reads of a result. */
  resultCharacters: 50_000,
  listPages: 20,
  /** Of a message to the person. */
  questionCharacters: 2_000,
  questionFields: 20,
  questionsPerCall: 3,
  connectMs: 30_000,
  /** For a program's answer to the newest protocol's first message; the older one is tried then. */
  probeMs: 5_000,
  /** Without a sign of progress. */
  callMs: 60_000,
  longestCallMs: 600_000,
  /** From the browser's opening to its return. */
  signInMs: 300_000,
  /** An unused server is stopped after this time. */
  idleMs: 300_000,
} as const
