/** How good answers were: feedback that was given, and signals that the answers show by themselves. */
/** One kind of feedback on the answer to a request: a thumb and a vote are different aspects. */
export interface FeedbackPlace {
  requestId: string
  aspect: string
}

/** How good one answer was. */
export interface FeedbackLabel {
  requestId: string
  modelId: string
  atMs: number
  /** 0 to 1. */
  label: number
  /** The number of judged answers it counts as. */
  weight: number
  /** The probability of each topic, in the order of `topicNames`; the sum is 1. */
  shares: readonly number[]
  /** The difficulty of the prompt. */
  difficulty: number
}

/** The numbers of good and bad answers of a model per topic, in the order of `topicNames`. */
export interface ModelFeedback {
  modelId: string
  good: number[]
  bad: number[]
  /** The sum of the judged prompts' difficulties, weighted as the counts are. */
  difficulty: number[]
}

export interface GivenFeedback {
  requestId: string
  /** How good, 0 to 1. */
  label: number
}

/** A judged answer of a model. */
export type JudgedAnswer = Pick<FeedbackLabel, 'requestId' | 'label' | 'shares'>

export interface FeedbackStore {
  /** Replaces earlier feedback of the same aspect. */
  give(place: FeedbackPlace, labels: readonly FeedbackLabel[]): Promise<void>
  /** Resolves false when there was no feedback. */
  withdraw(place: FeedbackPlace): Promise<boolean>
  /**
   * Adds signals of answers, which are sums only and cannot be withdrawn.
   * @param sums  weighted as of `atMs`
   */
  addSignals(sums: readonly ModelFeedback[], atMs: number): Promise<void>
  /** Deletes feedback and signals of a name that now refers to another model. False when there was no feedback. */
  forget(modelId: string): Promise<boolean>
  /** The feedback of one aspect on these requests; requests without feedback are left out. */
  given(aspect: string, requestIds: readonly string[]): Promise<GivenFeedback[]>
  /** The latest 1,000 judgements of a model's answers by a person: thumbs, and answers kept in place of others. */
  judged(modelId: string): Promise<JudgedAnswer[]>
  /** Every change by any process increases it. */
  version(): Promise<number>
  /**
   * Feedback and signals, weighted as of this time: the older, the less. The signals of a model count as at most
   * `signalsCountAtMost` answers.
   */
  counts(nowMs: number): Promise<ModelFeedback[]>
}
