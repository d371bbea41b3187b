/** How one family's clients read an error. */
import type { ServiceError } from '../errors.ts'

export interface ErrorForm {
  status(error: ServiceError): number
  headers(error: ServiceError, requestId: string): Readonly<Record<string, string>>
  /** @param nowMs  Unix milliseconds */
  body(error: ServiceError, { requestId, nowMs }: { requestId: string; nowMs: number }): object
}

/** OpenAI's, and that of every address without a family. */
export const openAiErrors: ErrorForm = {
  status: ({ status }) => status,
  headers: ({ headers }) => headers,
  body: (error) => error.toBody(),
}
