/** Authenticated encryption of small texts: AES-256-GCM, with a new nonce for each text. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'

const base64 = z.base64()
export const sealedSchema = z.strictObject({ nonce: base64, ciphertext: base64, tag: base64 })
export type Sealed = z.infer<typeof sealedSchema>

/** @param name  authenticated with the text, so that it opens under this name only */
export function seal(key: Buffer, name: string, text: string): Sealed {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return {
    nonce: nonce.toString('base64'),
    ciphertext: ciphertext.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
  }
}

/** @returns null if key, name and text do not match */
export function unseal(key: Buffer, name: string, sealed: Sealed): string | null {
  const nonce = Buffer.from(sealed.nonce, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
    decipher.setAAD(Buffer.from(name)).setAuthTag(Buffer.from(sealed.tag, 'base64'))
    const start = decipher.update(Buffer.from(sealed.ciphertext, 'base64'))
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch {
    // GCM reports a wrong key, name or text only by this error, and Node a nonce that was cut.
    return null
  }
}
