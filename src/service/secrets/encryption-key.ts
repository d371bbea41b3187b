/** The length of an AES-256 key. */
export const keyBytes = 32

/** How to make one, for errors. */
export const createKeyCommand = `openssl rand -base64 ${keyBytes}`

/** @returns null unless the text is exactly one key in base64 */
export function readEncryptionKey(base64: string): Buffer | null {
  const key = Buffer.from(base64.trim(), 'base64')
  return key.length === keyBytes && key.toString('base64') === base64.trim() ? key : null
}
