import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openSecrets, type SecretsOptions } from './index.ts'
import type { SecretStore } from './secret-store.ts'
import { readProviderKeys } from './usable-keys.ts'

const origin = 'https://a.test'

async function open(options: Partial<SecretsOptions> = {}): Promise<SecretStore> {
  const secrets = await openSecrets({
    dataDir: temporaryFolder(),
    allowSession: false,
    env: {},
    loadKeytar: () => Promise.reject(new Error('no keytar here')),
    ...options,
  })
  onTestFinished(() => secrets.close())
  return secrets
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = join(temporaryFolder(), 'run-secrets')
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('a file of the secrets folder is the key of the provider it is named after', async () => {
  const secretsDir = await folderWith({ 'my-openai': 'sk-file\n', 'README.md': 'no key' })
  const secrets = await open({ server: { secretsDir } })

  const { usable } = await readProviderKeys(secrets, 'my-openai', origin)

  expect(usable).toEqual([{ name: 'my-openai', secret: 'sk-file' }])
  expect(await secrets.boundTo('my-openai')).toBe(origin)
  expect(await secrets.names('other')).toEqual([])
})

test('the variable of a provider comes before its file, and the file before the vendor’s variable', async () => {
  const secretsDir = await folderWith({ openai: 'sk-file', groq: 'sk-file' })
  const env = {
    MODELPORT_KEY_OPENAI: 'sk-variable',
    OPENAI_API_KEY: 'sk-vendor',
    GROQ_API_KEY: 'sk-vendor',
    GEMINI_API_KEY: 'sk-vendor',
  }
  const secrets = await open({ env, server: { secretsDir, usesVendorVariables: true } })

  const keys = await Promise.all(['openai', 'groq', 'google'].map((id) => secrets.get(id)))

  expect(keys).toEqual(['sk-variable', 'sk-file', 'sk-vendor'])
})

test('vendors’ variables are ignored unless they are asked for', async () => {
  const secrets = await open({ env: { OPENAI_API_KEY: 'sk-vendor' } })

  expect(await secrets.names('openai')).toEqual([])
})

test('a vendor’s variable is offered, but not for another server and not with a key of Modelport', async () => {
  const env = {
    OPENAI_API_KEY: 'sk-vendor, sk-second',
    ANTHROPIC_API_KEY: 'sk-vendor',
    ANTHROPIC_BASE_URL: 'https://127.0.0.1:8484',
    GROQ_API_KEY: 'mp_0123456789',
    MISTRAL_API_KEY: '',
  }
  const secrets = await open({ env })

  const types = ['openai', 'anthropic', 'groq', 'mistral', 'google']
  expect(types.map((type) => secrets.variableFor(type))).toEqual([
    { name: 'OPENAI_API_KEY', secret: 'sk-vendor' },
    null,
    null,
    null,
    null,
  ])
})

test('a key of a file or a variable can be neither replaced nor removed, and the error names its source', async () => {
  const secretsDir = await folderWith({ groq: 'sk-file' })
  const secrets = await open({ env: { MODELPORT_KEY_OPENAI: 'sk-1' }, server: { secretsDir } })
  const file = join(secretsDir, 'groq')

  await expect(secrets.set('openai', 'sk-2', origin)).rejects.toThrow(
    'This key comes from the variable MODELPORT_KEY_OPENAI. Unset the variable first.',
  )
  await expect(secrets.set('groq', 'sk-2', origin)).rejects.toThrow(
    `This key comes from the file ${file}. Change the file, or remove it first.`,
  )
  await expect(secrets.delete('groq')).rejects.toThrow(file)
})

test.skipIf(process.platform === 'win32')(
  'a changed file is used after the next check, also behind a replaced link',
  async () => {
    const folder = temporaryFolder()
    const secretsDir = join(folder, 'mounted')
    for (const [version, key] of Object.entries({ v1: 'sk-1', v2: 'sk-2' })) {
      await mkdir(join(folder, version))
      await writeFile(join(folder, version, 'openai'), key)
    }
    await symlink(join(folder, 'v1'), secretsDir)
    const secrets = await open({ server: { secretsDir, checkMs: 10 } })
    const changed = vi.fn<(providerId: string) => void>()
    secrets.onChange(changed)
    expect(await secrets.get('openai')).toBe('sk-1')

    // Kubernetes replaces the link that the files are behind.
    await symlink(join(folder, 'v2'), join(folder, 'next'))
    await rename(join(folder, 'next'), secretsDir)

    await expect.poll(() => changed).toHaveBeenCalledWith('openai')
    expect(await secrets.get('openai')).toBe('sk-2')
    await rm(join(folder, 'v2', 'openai'))
    await expect.poll(() => secrets.names('openai')).toEqual([])
  },
)

test('an empty file and a missing folder are errors that say what to do', async () => {
  const secretsDir = await folderWith({ openai: '\n' })
  const secrets = await open({ server: { secretsDir } })

  await expect(secrets.get('openai')).rejects.toThrow('is empty. Write the key into it.')
  await expect(open({ server: { secretsDir: '/nowhere/secrets' } })).rejects.toThrow(
    'The secrets folder /nowhere/secrets cannot be read. Create it, or start without --secrets-dir.',
  )
})

test.skipIf(process.platform === 'win32')(
  'a file that cannot be read is an error that names it',
  async () => {
    const secretsDir = await folderWith({})
    await symlink('openai', join(secretsDir, 'openai'))
    const secrets = await open({ server: { secretsDir } })

    await expect(secrets.get('openai')).rejects.toThrow(
      `The file ${join(secretsDir, 'openai')} cannot be read (ELOOP).`,
    )
  },
)
