/** The full text of a request and its answer, for routers that store it (`routing.contentDays`). */
export interface RequestContent {
  requestId: string
  routerId: string
  startedAtMs: number
  /** The body as JSON. */
  request: string
  /** Whether it was longer than the limit. */
  isRequestCut: boolean
  /** Model and choices as JSON, joined for a stream; null when there was no answer. */
  answer: string | null
  isAnswerCut: boolean
}
