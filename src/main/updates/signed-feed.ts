/** The feed: a YAML file in electron-builder's form, believed only with a signature by the build's key. */
import { createPublicKey, verify } from 'node:crypto'
import { parse } from 'yaml'
import { z } from 'zod'
import { UpdateProblem } from './update-problem.ts'

const feedSchema = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  files: z
    .array(
      z.object({
        url: z.string().min(1),
        /** Base64 of 64 bytes. */
        sha512: z.string().length(88),
        size: z.int().positive(),
      }),
    )
    .min(1),
  releaseDate: z.iso.datetime().optional(),
  releaseNotes: z.string().max(100_000).optional(),
})

export type Feed = z.output<typeof feedSchema>

/**
 * @param text  the feed's file
 * @param signature  base64, of the bytes of the file
 * @param publicKey  base64 of an Ed25519 key in DER
 * @throws UpdateProblem `bad_signature` before the text is read, or `bad_feed`
 */
export function readSignedFeed(text: string, signature: string, publicKey: string): Feed {
  if (!isSigned(text, signature, publicKey)) throw new UpdateProblem('bad_signature')
  try {
    return feedSchema.parse(parse(text))
  } catch (error) {
    throw new UpdateProblem('bad_feed', { cause: error })
  }
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    })
    return verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), 'base64'))
  } catch {
    return false
  }
}

/** The feed with the packages for one kind of installation. @throws UpdateProblem `bad_feed` when it has none */
export function packagesFor(feed: Feed, extension: string): Feed {
  const files = feed.files.filter(({ url }) => url.endsWith(extension))
  if (files.length === 0) throw new UpdateProblem('bad_feed')
  return { ...feed, files }
}
