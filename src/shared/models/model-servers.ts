/** Model servers on this computer: what a search finds, and how fast their models are. */
import { z } from 'zod'
import type { Capability } from './model-abilities.ts'

/** How fast a server runs a model, learned from its answers; null for what none showed. */
export const servedSpeedSchema = z.strictObject({
  /** Unix milliseconds of the last answer. */
  atMs: z.number(),
  /** Time to read a token of the prompt. */
  msPerPromptToken: z.number().nullable(),
  msPerToken: z.number().nullable(),
  /** Time to load the model into memory. */
  loadMs: z.number().nullable(),
})
export type ServedSpeed = z.infer<typeof servedSpeedSchema>

/** A model of a server, as its provider's card shows it. */
export interface ServedModel extends ServedSpeed {
  modelId: string
  /** Null when it is not known. */
  isLoaded: boolean | null
}
/** A model server on this computer, found by its answer. */
export interface FoundServer {
  type: string
  typeName: string
  /** Base URL for a provider. */
  baseUrl: string
  /** Null when the server does not tell. */
  version: string | null
  models: readonly FoundModel[]
  /** The provider with this address; null when there is none. */
  providerId: string | null
  /** The id that a provider of this server would get. */
  suggestedId: string
}

export interface FoundModel {
  name: string
  /** Null when the server does not tell yet. */
  contextTokens: number | null
  /** Null when the server does not tell. */
  isLoaded: boolean | null
  sizeBytes: number | null
  capabilities: readonly Capability[]
}
