/** The vault of a server, whose data key is wrapped by a key from the environment, a file or a command. */
import { randomBytes } from 'node:crypto'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openSecrets, type SecretsOptions } from './index.ts'
import type { SealedKeys } from './sealed-keys.ts'
import type { SecretStore } from './secret-store.ts'
import { openWrappingKey } from './wrapping-key.ts'

const origin = 'https://a.test'
const canary = 'sk-canary-8f41c0'
const newKey = () => randomBytes(32).toString('base64')

function open(options: Partial<SecretsOptions>): Promise<SecretStore> {
  return openSecrets({
    dataDir: temporaryFolder(),
    allowSession: false,
    env: {},
    loadKeytar: () => Promise.reject(new Error('the keychain must not be asked')),
    ...options,
  })
}

/** Records in memory, as a database that several nodes share. */
function sharedRecords(): SealedKeys & { texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    ids: async () => [...texts.keys()],
    read: async (id) => texts.get(id) ?? null,
    save: async (id, text) => void texts.set(id, text),
    create: async (id, text) => {
      if (!texts.has(id)) texts.set(id, text)
      return texts.get(id) ?? text
    },
    remove: async (id) => void texts.delete(id),
  }
}

async function everyFile(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

test('a key in the vault opens with the same wrapping key only, and no file holds it', async () => {
  const dataDir = temporaryFolder()
  const env = { MODELPORT_VAULT_KEY: newKey() }
  await (await open({ dataDir, env })).set('openai', canary, origin)

  const again = await open({ dataDir, env })
  const other = await open({ dataDir, env: { MODELPORT_VAULT_KEY: newKey() } })

  expect(await again.get('openai')).toBe(canary)
  expect(again.state()).toMatchObject({ backend: 'vault', state: 'ready' })
  await expect(other.get('openai')).rejects.toThrow('another key than MODELPORT_VAULT_KEY')
  const files = await everyFile(dataDir)
  expect(files).toContain('"backend":"vault"')
  expect(files).not.toContain(canary)
  expect(files).not.toContain(Buffer.from(canary).toString('base64'))
})

test('two nodes that start together share one vault, and each reads what the other stored', async () => {
  const sealedKeys = sharedRecords()
  const env = { MODELPORT_VAULT_KEY: newKey() }
  const [one, two] = await Promise.all([open({ sealedKeys, env }), open({ sealedKeys, env })])

  await Promise.all([one.set('openai', 'sk-1', origin), two.set('groq', 'sk-2', origin)])

  expect([await two.get('openai'), await one.get('groq')]).toEqual(['sk-1', 'sk-2'])
  expect([...sealedKeys.texts.keys()].toSorted()).toEqual(['key-groq', 'key-openai', 'vault'])
})

test('a shared database without a key for its vault stores nothing and names the ways out', async () => {
  const secrets = await open({ sealedKeys: sharedRecords() })

  expect(secrets.state()).toMatchObject({ backend: 'vault', state: 'missing' })
  await expect(secrets.set('openai', canary, origin)).rejects.toThrow('Set MODELPORT_VAULT_KEY')
})

test.each([
  ['a text that is no key', { MODELPORT_VAULT_KEY: 'correct horse' }, {}, '32 bytes in base64'],
  ['a missing file', {}, { file: '/nowhere/key' }, '/nowhere/key cannot be read (ENOENT)'],
  ['two sources', { MODELPORT_VAULT_KEY: newKey() }, { file: '/a' }, 'several sources'],
])('%s is an error at the start', async (_name, env, server, message) => {
  await expect(open({ env, server })).rejects.toThrow(message)
})

test('a file holds the wrapping key', async () => {
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'vault-key')
  await writeFile(file, `${newKey()}\n`)

  await (await open({ dataDir, server: { file } })).set('openai', canary, origin)

  expect(await (await open({ dataDir, server: { file } })).get('openai')).toBe(canary)
})

/** A key service that wraps by reversing its input. It fails as long as the file `down` exists. */
async function keyService(folder: string): Promise<string> {
  const command = join(folder, 'key-service')
  const lines = [
    '#!/bin/sh',
    `[ -e ${folder}/down ] && { echo "no connection" >&2; exit 7; }`,
    `echo "$1" >> ${folder}/calls`,
    'rev',
  ]
  await writeFile(command, lines.join('\n'))
  await chmod(command, 0o700)
  return command
}

test.skipIf(process.platform === 'win32')(
  'a command wraps the data key once and unwraps it at each start',
  async () => {
    const dataDir = temporaryFolder()
    const command = await keyService(dataDir)
    await (await open({ dataDir, server: { command } })).set('openai', canary, origin)

    const again = await open({ dataDir, server: { command } })

    expect(await again.get('openai')).toBe(canary)
    expect(await readFile(join(dataDir, 'calls'), 'utf8')).toBe('wrap\nunwrap\nunwrap\n')
  },
)

test.skipIf(process.platform === 'win32')(
  'a command that failed at the start opens the vault once it works again',
  async () => {
    const dataDir = temporaryFolder()
    const command = await keyService(dataDir)
    await (await open({ dataDir, server: { command } })).set('openai', canary, origin)
    await writeFile(join(dataDir, 'down'), '')
    const secrets = await open({ dataDir, server: { command } })
    await expect(secrets.get('openai')).rejects.toThrow('(exit 7: no connection)')

    await rm(join(dataDir, 'down'))

    expect(await secrets.get('openai')).toBe(canary)
  },
)

test('a new wrapping key replaces the old one, and a passphrase can become a key', async () => {
  const dataDir = temporaryFolder()
  const [first, second] = [newKey(), newKey()]
  const passphrase = { MODELPORT_VAULT_PASSPHRASE: 'correct horse' }
  const withPassphrase = await open({ dataDir, env: passphrase })
  await withPassphrase.set('openai', canary, origin)

  for (const [env, value] of [
    [passphrase, first],
    [{ MODELPORT_VAULT_KEY: first }, second],
  ] as const) {
    const secrets = await open({ dataDir, env })
    await secrets.rewrapVault({ variable: { name: 'NEW_KEY', value } })
  }

  const before = await open({ dataDir, env: { MODELPORT_VAULT_KEY: first } })
  const now = await open({ dataDir, env: { MODELPORT_VAULT_KEY: second } })
  await expect(before.get('openai')).rejects.toThrow('another key')
  expect(await now.get('openai')).toBe(canary)
  expect((await open({ dataDir, env: passphrase })).state()).toMatchObject({ state: 'locked' })
})

test.skipIf(process.platform === 'win32')(
  'a vault that a command wrapped stays closed to a key, and the message says so',
  async () => {
    const dataDir = temporaryFolder()
    const command = await keyService(dataDir)
    await (await open({ dataDir, server: { command } })).set('openai', canary, origin)

    const secrets = await open({ dataDir, env: { MODELPORT_VAULT_KEY: newKey() } })

    expect(secrets.state()).toMatchObject({ state: 'locked' })
    await expect(secrets.get('openai')).rejects.toThrow('another key than MODELPORT_VAULT_KEY')
  },
)

test.skipIf(process.platform === 'win32')(
  'a command whose own child hangs ends with the time limit',
  async () => {
    const command = join(temporaryFolder(), 'key-service')
    await writeFile(command, '#!/bin/sh\nsleep 20\n')
    await chmod(command, 0o700)
    const wrapping = await openWrappingKey({ command }, { commandMs: 100 })

    await expect(wrapping?.unwrap('text')).rejects.toThrow('did not end within 0.1 s')
  },
)

test('a record that was cut is damaged, and does not end the program', async () => {
  const sealedKeys = sharedRecords()
  const env = { MODELPORT_VAULT_KEY: newKey() }
  const secrets = await open({ sealedKeys, env })
  await secrets.set('openai', canary, origin)
  const text = sealedKeys.texts.get('key-openai') ?? ''
  sealedKeys.texts.set('key-openai', text.replace(/"nonce":"[^"]+"/, '"nonce":""'))

  await expect(secrets.get('openai')).rejects.toMatchObject({ name: 'SecretStoreError' })
})
