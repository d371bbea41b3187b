/**
 * The key that encrypts the vault's data key on a server: from the environment, from a file, or in a key
 * management service (KMS) that a command calls. The data key itself is stored only encrypted.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { createKeyCommand, keyBytes, readEncryptionKey } from './encryption-key.ts'
import { seal, sealedSchema, unseal, type Sealed } from './seal.ts'
import { SecretStoreError, type WrappingKeySources } from './secret-store.ts'

export interface WrappingKey {
  /** Name of the source in messages: `MODELPORT_VAULT_KEY`. */
  name: string
  /** @throws SecretStoreError when the command fails */
  wrap(dataKey: Buffer): Promise<string>
  /** @returns null when another key wrapped the text @throws SecretStoreError when the command fails */
  unwrap(wrapped: string): Promise<Buffer | null>
}

/** @returns null without a source @throws SecretStoreError for more than one source, and for a text that is no key */
export async function openWrappingKey(
  sources: WrappingKeySources,
  { commandMs = defaultCommandMs } = {},
): Promise<WrappingKey | null> {
  const { variable, file, command } = sources
  if ([variable, file, command].filter((source) => source !== undefined).length > 1) {
    throw new SecretStoreError(
      'The key of the vault has several sources. Set one of MODELPORT_VAULT_KEY, --vault-key-file and --vault-key-command.',
    )
  }
  if (variable !== undefined) return wrapWith(variable.name, variable.value)
  if (file !== undefined) return wrapWith(`the file ${file}`, await readKeyFile(file))
  return command === undefined ? null : wrapByCommand(command, commandMs)
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
    const message = `The vault's key file ${file} cannot be read (${code}). Let Modelport's user read it, or name another file.`
    throw new SecretStoreError(message, { cause })
  }
}

const purpose = 'data key'

function wrapWith(name: string, base64: string): WrappingKey {
  const key = readEncryptionKey(base64)
  if (key === null) {
    throw new SecretStoreError(
      `${name} must hold ${keyBytes} bytes in base64. Create a key with: ${createKeyCommand}`,
    )
  }
  return {
    name,
    wrap: async (dataKey) => JSON.stringify(seal(key, purpose, dataKey.toString('base64'))),
    async unwrap(wrapped) {
      const sealed = readSealed(wrapped)
      const dataKey = sealed && unseal(key, purpose, sealed)
      return dataKey === null ? null : readEncryptionKey(dataKey)
    },
  }
}

/** @returns null for the text of a command */
function readSealed(wrapped: string): Sealed | null {
  try {
    return sealedSchema.parse(JSON.parse(wrapped))
  } catch {
    return null
  }
}

/**
 * The command is a program without arguments, started without a shell. Its one argument is `wrap` or `unwrap`, its
 * stdin is one line of text, and it prints one line: `wrap` gets the data key in base64 and prints any text, and
 * `unwrap` gets this text and prints the data key in base64.
 */
function wrapByCommand(command: string, commandMs: number): WrappingKey {
  const name = `the command ${command}`
  const run = (verb: Verb, input: string) => runCommand({ command, verb, input, commandMs })
  return {
    name,
    wrap: async (dataKey) => await run('wrap', dataKey.toString('base64')),
    async unwrap(wrapped) {
      const dataKey = readEncryptionKey(await run('unwrap', wrapped))
      if (dataKey !== null) return dataKey
      throw new SecretStoreError(
        `"${command} unwrap" did not print ${keyBytes} bytes in base64. Its output must be the text that "wrap" got.`,
      )
    },
  }
}

const defaultCommandMs = 30_000
const vaultIsClosed = 'The vault stays closed. Check the program and the key service that it calls.'

type Verb = 'wrap' | 'unwrap'

interface CommandRun {
  command: string
  verb: Verb
  input: string
  commandMs: number
}

/** @returns what it printed, without the line end. @throws SecretStoreError */
async function runCommand({ command, verb, input, commandMs }: CommandRun): Promise<string> {
  const child = spawn(command, [verb], { stdio: ['pipe', 'pipe', 'pipe'] })
  // A program that does not read its input closes the pipe early.
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${input}\n`)
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? null : `exit ${code ?? signal}`))
  })
  const result = Promise.all([ended, text(child.stdout), text(child.stderr)])
  const [problem, output, complaint] = await within(result, commandMs, () => {
    child.kill('SIGKILL')
    // Programs that it started may hold the other ends open.
    child.stdout.destroy()
    child.stderr.destroy()
    return new SecretStoreError(
      `"${command} ${verb}" did not end within ${commandMs / 1_000} s. ${vaultIsClosed}`,
    )
  })
  if (problem === null && output.trim() !== '') return output.trim()
  const [firstLine = ''] = complaint.trim().split('\n')
  const reason = [problem ?? 'it printed nothing', firstLine].filter(Boolean).join(': ')
  throw new SecretStoreError(`"${command} ${verb}" failed (${reason}). ${vaultIsClosed}`)
}

/** @param stop  called when the time is over; gives the error */
async function within<Result>(
  work: Promise<Result>,
  limitMs: number,
  stop: () => Error,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stop()), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
