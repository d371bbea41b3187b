/**
 * Encrypts what is stored in Valkey (AES-256-GCM) and hides the names of its keys, which are hashes of prompts. Nodes that
 * share a Valkey have the same sealing key.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16

export interface Sealing {
  /** @param name  of the entry: under another name, the value cannot be opened */
  seal(name: string, value: Buffer): Buffer
  /** @returns null when it was sealed under another key or name, or was changed */
  open(name: string, sealed: Buffer): Buffer | null
  /** A name that reveals nothing about `text` without the key. */
  hide(text: string): string
}

/** @param key  32 bytes */
export function createSealing(key: Buffer): Sealing {
  const nameKey = hmac(key, 'names')
  const valueKey = hmac(key, 'values')
  // Each process derives its own key and counts its values, so that no nonce is used twice with one key.
  const salt = randomBytes(saltBytes)
  const ownKey = hmac(valueKey, salt)
  const nextNonce = countNonces()
  return {
    seal(name, value) {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', ownKey, nonce)
      cipher.setAAD(Buffer.from(name))
      const sealed = [cipher.update(value), cipher.final()]
      return Buffer.concat([salt, nonce, cipher.getAuthTag(), ...sealed])
    },
    open(name, sealed) {
      const nonceAt = saltBytes
      const tagAt = nonceAt + nonceBytes
      const textAt = tagAt + tagBytes
      if (sealed.length < textAt) return null
      const keyOfThis = hmac(valueKey, sealed.subarray(0, nonceAt))
      const nonce = sealed.subarray(nonceAt, tagAt)
      const decipher = createDecipheriv('aes-256-gcm', keyOfThis, nonce)
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(tagAt, textAt))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()])
      } catch {
        // GCM's only failure: the value is not authentic.
        return null
      }
    },
    hide: (text) => hmac(nameKey, text).toString('base64url'),
  }
}

function countNonces(): () => Buffer {
  let count = 0n
  return () => {
    const nonce = Buffer.alloc(nonceBytes)
    nonce.writeBigUInt64BE(count)
    count += 1n
    return nonce
  }
}

function hmac(key: Buffer, text: string | Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
