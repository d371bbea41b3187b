import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport, vaultKey as vault } from '../../../test/command-line/modelport.ts'

const add = ['provider', 'add', 'openai', '--type', 'openai']

test('reads a key from stdin and stores it in the passphrase vault', async () => {
  const { run } = newModelport()
  const env = { MODELPORT_VAULT_PASSPHRASE: 'correct horse battery staple' }
  const added = await run([...add, '--key-stdin'], { stdin: 'sk-from-stdin\n', env })
  expect(added).toMatchObject({ code: 0, stdout: 'Added openai.\n' })
  const { stdout } = await run(['provider', 'list', '--json'], { env })
  expect(stdout).toContain('"id":"openai"')
  expect(stdout).toMatch(/"id":"openai".*"hasKey":true/)
  expect(stdout).not.toContain('sk-from-stdin')
})

test('reads a key from a variable', async () => {
  const { run } = newModelport()
  const env = { ...vault, MY_KEY: 'sk-from-env' }
  const added = await run([...add, '--key-env', 'MY_KEY', '--json'], { env })
  expect(added.code).toBe(0)
  expect(JSON.parse(added.stdout)).toMatchObject({ id: 'openai', hasKey: true })
})

test('lists whether a key is stored or which variable or file gives it', async () => {
  const { run, dataDir } = newModelport()
  const secretsDir = join(dataDir, 'run-secrets')
  mkdirSync(secretsDir)
  writeFileSync(join(secretsDir, 'groq'), 'sk-file')
  const env = {
    ...vault,
    MODELPORT_KEY_OPENAI: 'sk-variable',
    MODELPORT_SECRETS_DIR: secretsDir,
  }
  await run(add, { env })
  await run(['provider', 'add', 'groq', '--type', 'groq'], { env })
  const mistral = ['provider', 'add', 'mistral', '--type', 'mistral', '--key-stdin']
  await run(mistral, { env, stdin: 'sk-stored' })

  const { stdout } = await run(['provider', 'list'], { env })
  const keys = await run(['provider', 'key', 'list', 'openai'], { env })

  expect(stdout).toMatch(/^openai .* from the variable MODELPORT_KEY_OPENAI /m)
  expect(stdout).toContain(` from the file ${join(secretsDir, 'groq')} `)
  expect(stdout).toMatch(/^mistral .* stored /m)
  expect(keys.stdout).toMatch(/^default +from the variable MODELPORT_KEY_OPENAI$/m)
})

test('takes the JSON file of a service account as the key', async () => {
  const { run, json } = newModelport()
  const file = { type: 'service_account', private_key: '-----BEGIN PRIVATE KEY-----\nx\n' }
  const stdin = JSON.stringify(file, null, 2)

  const options = ['--option', 'project=project-1', '--option', 'location=europe-west4']
  const added = await run(
    ['provider', 'add', 'vertex', '--type', 'google-vertex', '--key-stdin', ...options],
    { stdin, env: vault },
  )

  expect(added).toMatchObject({ code: 0, stdout: 'Added vertex.\n' })
  const providers = await json('provider', 'list')
  expect(providers.find(({ id }) => id === 'vertex')).toMatchObject({
    options: { project: 'project-1', location: 'europe-west4' },
  })
})

test('says what to do when no store can hold the key, and adds nothing', async () => {
  const { run, json } = newModelport()
  const added = await run([...add, '--key-stdin'], { stdin: 'sk-nowhere' })
  expect({ code: added.code, stdout: added.stdout }).toEqual({ code: 1, stdout: '' })
  expect(added.stderr).toContain('MODELPORT_VAULT_PASSPHRASE')
  expect(added.stderr).toContain('MODELPORT_KEY_')
  expect(added.stderr).not.toContain('sk-nowhere')
  expect((await json('provider', 'list')).map(({ id }) => id)).toEqual(['local'])
})

test('refuses both ways to give a key at once', async () => {
  const { run } = newModelport()
  const { code, stderr } = await run([...add, '--key-stdin', '--key-env', 'MY_KEY'])
  expect(code).toBe(2)
  expect(stderr).toContain('cannot be used with')
})

test('removes a provider no router uses, and says which router does', async () => {
  const { run, json } = newModelport()
  await run([...add, '--key-stdin'], { stdin: 'sk-x', env: vault })
  const removed = await run(['provider', 'remove', 'openai'], { env: vault })
  expect(removed).toMatchObject({ code: 0, stdout: 'Removed openai.\n' })
  expect((await json('provider', 'list')).map(({ id }) => id)).toEqual(['local'])
  const inUse = await run(['provider', 'remove', 'local'])
  expect(inUse.code).toBe(1)
  expect(inUse.stderr).toContain('"Local"')
})

test('fails as a command when the provider does', async () => {
  const { run } = newModelport()
  const server = ['--type', 'openai-compatible', '--base-url', 'http://127.0.0.1:9/v1']
  const added = await run(['provider', 'add', 'mine', ...server, '--private-network'])
  expect(added).toMatchObject({ code: 0 })
  const { code, stdout, stderr } = await run(['provider', 'test', 'mine'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^modelport: mine: /)
})

test('accepts and shows the options of the type, and names an unknown one', async () => {
  const { run, json } = newModelport()
  const env = { ...vault, MY_KEY: 'sk-from-env' }
  const given = ['--option', 'organization=org-1', '--option', 'project=proj_a=b']
  expect(await run([...add, '--key-env', 'MY_KEY', ...given], { env })).toMatchObject({ code: 0 })
  const listed = (await json('provider', 'list')).find(({ id }) => id === 'openai')
  expect(listed?.['options']).toEqual({ organization: 'org-1', project: 'proj_a=b' })
  expect((await run(['provider', 'list'])).stdout).toContain('organization=org-1 project=proj_a=b')
  const other = ['provider', 'add', 'x', '--type', 'openai', '--key-env', 'MY_KEY']
  const unknown = await run([...other, '--option', 'region=eu'], { env })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('"region" of OpenAI: this type takes organization, project')
})

test.each([
  [['--option', 'organization'], 'name=value'],
  [['--option', 'project=a', '--option', 'project=b'], 'given twice'],
])('%j is invalid usage', async (given, words) => {
  const { run } = newModelport()
  const { code, stderr } = await run([...add, '--key-env', 'MY_KEY', ...given])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

test('changes the address, and asks for the key of the new one', async () => {
  const { run, json } = newModelport()
  await run([...add, '--key-stdin'], { stdin: 'sk-openai', env: vault })
  const gateway = ['--base-url', 'https://gateway.example/v1']

  const changed = await run(['provider', 'update', 'openai', ...gateway], { env: vault })

  expect(changed).toMatchObject({ code: 0, stderr: '' })
  expect(changed.stdout).toContain(
    'Its key belongs to https://api.openai.com and is not sent to https://gateway.example/v1.',
  )
  const listed = await run(['provider', 'list'], { env: vault })
  expect(listed.stdout).toContain('for https://api.openai.com')
  const keyed = ['provider', 'set-key', 'openai', '--key-stdin']
  await run(keyed, { stdin: 'sk-gateway', env: vault })
  expect((await run(['provider', 'list'], { env: vault })).stdout).toContain('stored')

  const back = ['provider', 'update', 'openai', '--base-url', 'default', '--key-stdin']
  const returned = await run(back, { stdin: 'sk-openai', env: vault })
  expect(returned).toMatchObject({ code: 0, stdout: 'Changed openai.\n' })
  const provider = (await json('provider', 'list')).find(({ id }) => id === 'openai')
  expect(provider).toMatchObject({ baseUrl: 'https://api.openai.com/v1' })
})

test('changes one option and removes another', async () => {
  const { run, json } = newModelport()
  const given = ['--option', 'organization=org-1', '--option', 'project=proj_a']
  await run([...add, '--key-stdin', ...given], { stdin: 'sk-openai', env: vault })

  const options = ['--option', 'organization=org-2', '--option', 'project=']
  await run(['provider', 'update', 'openai', ...options], { env: vault })

  const provider = (await json('provider', 'list')).find(({ id }) => id === 'openai')
  expect(provider?.['options']).toEqual({ organization: 'org-2' })
})

test('adds, lists and removes keys by name', async () => {
  const { run } = newModelport()
  await run([...add, '--key-stdin'], { stdin: 'sk-first', env: vault })
  const key = (...args: string[]) => ['provider', 'key', ...args]
  const stored = { stdin: 'sk-second-canary', env: vault }

  const added = await run(key('add', 'openai', '--name', 'night', '--key-stdin'), stored)
  expect(added).toMatchObject({ code: 0, stdout: 'openai has 2 keys.\n' })
  const listed = await run(key('list', 'openai', '--json'), { env: vault })
  expect(listed.stdout.match(/"name":"[^"]+"/g)).toEqual(['"name":"default"', '"name":"night"'])
  expect(listed.stdout).not.toContain('canary')

  expect(await run(key('remove', 'openai', 'default'), { env: vault })).toMatchObject({ code: 0 })
  const last = await run(key('remove', 'openai', 'night'), { env: vault })
  expect(last.code).toBe(1)
  expect(last.stderr).toContain('This is its only key.')
})

test('discovers model servers, and says when the one to add is not there', async () => {
  const { run, json } = newModelport()
  expect((await run(['provider', 'discover'])).code).toBe(0)
  const { code, stderr } = await run(['provider', 'discover', '--add', 'nothing-has-this-id'])
  expect(code).toBe(1)
  expect(stderr).toContain('No server with the id nothing-has-this-id was found.')
  expect((await json('provider', 'list')).map(({ id }) => id)).toEqual(['local'])
})
