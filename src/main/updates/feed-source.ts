/** Reads the address of this build's updates from `resources/app-update.yml`, which packaging writes. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { t } from '../../shared/strings/strings.ts'

const sourceSchema = z.object({
  url: z.url({ protocol: /^https?$/ }).refine(isSafe, t('The feed must use https')),
  /** Base64 of an Ed25519 key in DER. */
  publicKey: z.string().min(1),
})

export type FeedSource = z.output<typeof sourceSchema>

/**
 * @returns null for a build without updates: no file, which is the rule for a build from source
 * @throws when the file is not valid
 */
export function readFeedSource(file: string): FeedSource | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return null
  }
  const { url, publicKey } = sourceSchema.parse(parse(text))
  return { url: url.endsWith('/') ? url : `${url}/`, publicKey }
}

/** Whether the address is encrypted, or on loopback for tests of the feed. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
