/** What was asked and answered, word by word, of a router that keeps it (`routing.contentDays`). */
export interface RequestContent {
  requestId: string
  routerId: string
  startedAtMs: number
  /** The body as JSON. */
  request: string
  /** Whether it was longer than what is kept. */
  isRequestCut: boolean
  /** Model and choices as JSON, of a stream put together; null where nothing was answered. */
  answer: string | null
  isAnswerCut: boolean
}
