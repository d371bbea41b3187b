/** Model servers on this computer: what a search finds, and how fast their models are. */
import { z } from 'zod'

/** How fast a server runs a model, learned from its answers; null for what none showed. */
export const servedSpeedSchema = z.strictObject({
  /** Unix milliseconds of the last answer. */
  atMs: z.number(),
  /** To read a token of the prompt. */
  msPerPromptToken: z.number().nullable(),
  msPerToken: z.number().nullable(),
  /** To load the model into memory. */
  loadMs: z.number().nullable(),
})
export type ServedSpeed = z.infer<typeof servedSpeedSchema>

/** A model of a server, as its provider's card shows it. */
export interface ServedModel extends ServedSpeed {
  modelId: string
  /** Null when it is not known. */
  isLoaded: boolean | null
}
