/** The key of a provider, as a person enters it. */
import { z } from 'zod'
import { slug } from '../strings/slug.ts'

/** Characters that no header can carry come from a copying mistake, except in the JSON of a service account. */
export const providerKeySchema = z
  .string()
  .trim()
  .min(1, 'Enter a key')
  .transform(onOneLine)
  .refine(
    (key) => /^(\{[\x20-\x7e]+\}|[\x21-\x7e]+)$/.test(key),
    'The key contains a space or an invalid character. Copy it again.',
  )

/** The JSON file of a service account has lines; a key store may not keep them. */
function onOneLine(key: string): string {
  if (!key.startsWith('{')) return key
  try {
    return JSON.stringify(JSON.parse(key))
  } catch (error) {
    if (error instanceof SyntaxError) return key
    throw error
  }
}

/** A further key of a provider. */
export const addedKeySchema = z.strictObject({
  /** Absent: `key-2`, `key-3`, … */
  name: slug.refine((text) => text !== 'default', 'This is the name of the first key').optional(),
  apiKey: providerKeySchema,
})
export type AddedKey = z.input<typeof addedKeySchema>
