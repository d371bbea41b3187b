/** Models that run on this computer: those that Modelport offers to download, and files that the user added. */
import { z } from 'zod'

/** Facts that a model file states about itself; null where it states none. */
export const modelFileFactsSchema = z.strictObject({
  title: z.string().min(1).max(200).nullable(),
  /** The longest context it was trained for, in tokens. */
  trainedTokens: z.int().min(1).nullable(),
  /** Memory for the keys and values of one token. */
  cacheBytesPerToken: z.number().min(0).nullable(),
  vocabulary: z.int().min(1).nullable(),
  parameters: z.number().positive().nullable(),
  /** The share of the parameters that each token uses: less than 1 in a mixture of experts. */
  activeShare: z.number().positive().max(1),
})
export type ModelFileFacts = z.output<typeof modelFileFactsSchema>

/** A model file that the user added. */
export const ownModelSchema = z.strictObject({
  /** Behind the `local:` prefix. */
  name: z.string().regex(/^[a-z0-9._][a-z0-9._-]{0,199}$/),
  file: z.string().min(1).max(4096),
  sizeBytes: z.int().min(1),
  facts: modelFileFactsSchema,
})
export type OwnModel = z.output<typeof ownModelSchema>

/** Whether a model's file is on this computer. */
export type LocalFileState =
  | { kind: 'available' }
  | { kind: 'downloading'; receivedBytes: number }
  | { kind: 'verifying' }
  | { kind: 'paused'; receivedBytes: number }
  | { kind: 'failed'; receivedBytes: number; message: string }
  | { kind: 'installed' }
  /** A file of the user's that was moved or changed. */
  | { kind: 'unusable'; message: string }

export interface LocalModelInfo {
  /** Behind the `local:` prefix. */
  name: string
  title: string
  /** `own`: a file that the user added. */
  origin: 'built-in' | 'offered' | 'own'
  /** Null for a file of the user's. */
  licence: { name: string; url: string } | null
  sizeBytes: number
  /** The share of the weights that each token uses. */
  activeShare: number
  contextTokens: number
  /** An estimate: weights, context and working memory. */
  memoryBytes: number
  /** True if it needs more memory than this computer has. */
  isTooLarge: boolean
  /** Path of the file, also before the download. */
  file: string
  state: LocalFileState
  /** Whether it is in memory now. */
  isLoaded: boolean
}
