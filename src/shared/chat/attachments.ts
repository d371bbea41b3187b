/** Files of a message of the chat window. Their contents are stored once, by their SHA-256. */
import { z } from 'zod'

export const attachmentLimits = {
  bytes: 20_971_520,
  perMessage: 10,
  characters: 2_000_000,
} as const

export const attachmentSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** `attach` stores 1 to 255 characters; one that is stored otherwise is read all the same. */
  name: z.string(),
  bytes: z.int().min(1),
  kind: z.enum(['image', 'pdf', 'text']),
  mediaType: z.string(),
  /** Of a PDF; null for others. */
  pages: z.int().nullable(),
  /** Whether it can be sent as text, which every model reads. */
  hasText: z.boolean(),
  /** As it is, for models that read images or PDFs; or its text alone. */
  sentAs: z.enum(['file', 'text']),
})
export type Attachment = z.output<typeof attachmentSchema>

export const attachmentsSchema = z.array(attachmentSchema)

/** A model that can read an attachment, and the tokens that it counts for it. */
export interface AttachmentReader {
  model: string
  tokens: number
}

/** Who can read an attachment at one router. */
export interface RouterReaders {
  routerId: string
  models: number
  readers: AttachmentReader[]
}
