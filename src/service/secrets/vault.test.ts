import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSecrets } from './index.ts'
import { openSealedFiles } from './sealed-keys.ts'
import { openVault, type Vault } from './vault.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'modelport-vault-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function openPassphraseVault(passphrase: string): Promise<Vault> {
  return await openVault(await openSealedFiles(dataDir), { kind: 'passphrase', passphrase })
}

test('opens a sealed text under its own name only', async () => {
  const vault = await openPassphraseVault('correct horse')

  const sealed = await vault.seal('openai', 'sk-secret')

  expect(await vault.unseal('openai', sealed)).toBe('sk-secret')
  await expect(vault.unseal('other', sealed)).rejects.toThrow('damaged')
})

test('never seals the same text the same way', async () => {
  const vault = await openPassphraseVault('correct horse')

  const [one, two] = [await vault.seal('openai', 'same'), await vault.seal('openai', 'same')]

  expect(one.ciphertext).not.toBe(two.ciphertext)
})

test('treats a passphrase with composed or decomposed accents as the same', async () => {
  const sealed = await (await openPassphraseVault('caf\u00e9')).seal('openai', 'sk-secret')

  const vault = await openPassphraseVault('cafe\u0301')

  expect(await vault.unseal('openai', sealed)).toBe('sk-secret')
})

test('created by two processes at once is one vault', async () => {
  const [one, two] = await Promise.all([
    openPassphraseVault('correct horse'),
    openPassphraseVault('correct horse'),
  ])

  const [ofOne, ofTwo] = await Promise.all([one.seal('a', 'first'), two.seal('b', 'second')])

  const later = await openPassphraseVault('correct horse')
  expect(await later.unseal('a', ofOne)).toBe('first')
  expect(await later.unseal('b', ofTwo)).toBe('second')
})

test('names a damaged file and does not change it', async () => {
  await writeFile(join(dataDir, 'vault.json'), '{"version":1')

  const vault = await openPassphraseVault('correct horse')

  expect(vault.state()).toMatchObject({
    state: 'locked',
    message: expect.stringContaining('vault.json'),
  })
  await expect(vault.seal('openai', 'sk-secret')).rejects.toThrow('vault.json')
  expect(await readFile(join(dataDir, 'vault.json'), 'utf8')).toBe('{"version":1')
})

test('a writer killed at any moment leaves the old key or the new one, and its temporary file is removed', async () => {
  const open = () =>
    openSecrets({
      dataDir,
      allowSession: false,
      env: { MODELPORT_VAULT_PASSPHRASE: 'correct horse' },
      loadKeytar: () => Promise.reject(new Error('no keytar here')),
    })
  await (await open()).set('openai', 'key 0', 'https://a.test')
  const program = `
    import { openSecrets } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
    const secrets = await openSecrets({
      dataDir: ${JSON.stringify(dataDir)},
      allowSession: false,
      env: { MODELPORT_VAULT_PASSPHRASE: 'correct horse' },
      loadKeytar: () => Promise.reject(new Error('no keytar here')),
    })
    console.log('ready')
    for (let count = 1; ; count++) await secrets.set('openai', 'key ' + count, 'https://a.test')`

  for (let kill = 0; kill < 5; kill++) {
    const writer = spawn(process.execPath, ['--input-type=module', '--eval', program])
    const exited = once(writer, 'exit')
    await once(writer.stdout, 'data')
    await sleep(3 + kill * 2.7)
    writer.kill('SIGKILL')
    await exited

    expect(await (await open()).get('openai')).toMatch(/^key \d+$/)
  }

  expect(await readdir(join(dataDir, 'secrets'))).toEqual(['key-openai.json'])
})

test('a damaged record is an error until the key is entered again', async () => {
  const secrets = await openSecrets({
    dataDir,
    allowSession: false,
    env: { MODELPORT_VAULT_PASSPHRASE: 'correct horse' },
    loadKeytar: () => Promise.reject(new Error('no keytar here')),
  })
  await secrets.set('openai', 'sk-secret', 'https://a.test')
  await writeFile(join(dataDir, 'secrets', 'key-openai.json'), '{"backend":')

  await expect(secrets.get('openai')).rejects.toThrow('Enter the key again')
  await secrets.set('openai', 'sk-again', 'https://a.test')

  expect(await secrets.get('openai')).toBe('sk-again')
})
