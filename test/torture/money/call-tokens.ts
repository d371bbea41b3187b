/** The tokens of a request to a vendor. */

/** The tokens of one request, as the vendor counts them; the output's are those of all choices. */
export interface CallTokens {
  /** With what the request names and does not show. */
  prompt: number
  named: number
  cached: number
  written: number
  /** Answers that are billed, and those of them that are sent. */
  choices: number
  returned: number
  searches: number
  /** What the model read after its searches. */
  found: number
  isInUs: boolean
  hidden: number
  reasoning: number
  text: number
}

/** Nothing but a prompt. */
export const noTokens: CallTokens = {
  prompt: 0,
  named: 0,
  cached: 0,
  written: 0,
  choices: 1,
  returned: 1,
  searches: 0,
  found: 0,
  isInUs: false,
  hidden: 0,
  reasoning: 0,
  text: 0,
}
