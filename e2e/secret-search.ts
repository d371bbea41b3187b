/** Finds a secret in data, in every form in which programs write text. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One form of a part of a secret, as bytes to search for. */
interface SecretForm {
  readonly name: string
  readonly bytes: Buffer
}

/** Characters of a searched part of a secret. Shorter parts may appear by chance, or be shown on purpose. */
const partLength = 20

/** The names of all forms: the search must return all of them for a text that contains every form. */
export const formNames = formsOf('x'.repeat(2 * partLength)).map(({ name }) => name)

/**
 * The forms in which the bytes contain the secret, or its first or last 20 characters; empty when none is
 * found.
 */
export function findSecret(haystack: Buffer, secret: string): string[] {
  return formsOf(secret)
    .filter(({ bytes }) => haystack.includes(bytes))
    .map(({ name }) => name)
}

/** The bytes of the secret in every form; the search must find all of them. */
export function everyForm(secret: string): Buffer {
  return Buffer.concat(formsOf(secret).flatMap(({ bytes }) => [bytes, Buffer.from('\n')]))
}

/** The files of a folder: the path of each within the folder, with its bytes. */
export async function readFolder(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, Buffer>()
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readIfThere(path)
    if (bytes !== null) files.set(path.slice(folder.length + 1), bytes)
  }
  return files
}

/** Chromium replaces its own files while it runs. */
async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Whether it is whole or cut in two, a secret of at least 39 characters leaves its first or last 20 in one
 * piece.
 */
function formsOf(secret: string): SecretForm[] {
  if (secret.length < 2 * partLength - 1) throw new Error('The secret is too short to search for.')
  return [
    ...formsOfPart('start', secret.slice(0, partLength)),
    ...formsOfPart('end', secret.slice(-partLength)),
  ]
}

function formsOfPart(part: string, text: string): SecretForm[] {
  const hex = Buffer.from(text).toString('hex')
  const escapes = hex.toUpperCase().replaceAll(/../g, '%$&')
  const written = {
    'utf-8': text,
    'url-encoded': encodeURIComponent(text),
    'url-encoded throughout': escapes,
    hex,
    'upper-case hex': hex.toUpperCase(),
  }
  const forms = Object.entries(written).map(([name, form]) => [name, Buffer.from(form)] as const)
  return [...forms, ['utf-16le', Buffer.from(text, 'utf16le')] as const, ...base64Forms(text)].map(
    ([name, bytes]) => ({ name: `${part}, ${name}`, bytes }),
  )
}

/**
 * The Base64 of a text depends on its offset in the encoded bytes: three variants, without the characters that
 * also encode its neighbours.
 */
function base64Forms(text: string): (readonly [name: string, bytes: Buffer])[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
    const first = Math.ceil((offset * 8) / 6)
    const end = Math.floor((padded.length * 8) / 6)
    return (['base64', 'base64url'] as const).map(
      (coding) =>
        [`${coding} at ${offset}`, Buffer.from(padded.toString(coding).slice(first, end))] as const,
    )
  })
}
