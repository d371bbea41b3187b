/** Answers to one starter prompt, as models write them. */
export interface SampleAnswers {
  right: string
  /** Each is wrong in a way that a model could be. */
  wrong: readonly [string, string, string]
}

/** Answers by the id of the prompt. */
export type AnswersById = Readonly<Record<string, SampleAnswers>>
