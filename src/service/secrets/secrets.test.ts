/**
 * The order of the stores with the real keytar, in the four states of a Linux computer. Each test runs a small
 * program in its own D-Bus session, so the suite itself does not need one.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSecrets } from './index.ts'
import { readProviderKeys } from './usable-keys.ts'

let home: string
/** Apart from `home`, where a keyring that ends still removes files. */
let dataDir: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'modelport-secrets-'))
  await chmod(home, 0o700)
  dataDir = join(home, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  await writeFile(join(home, 'empty.conf'), busConfig('<allow eavesdrop="true"/>'))
  await writeFile(join(home, 'mute.conf'), busConfig(''))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** A bus that starts no services. Without `receive` it discards every reply. */
const busConfig = (receive: string) => `<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default"><allow send_destination="*"/>${receive}<allow own="*"/></policy>
</busconfig>`

const unlock = "printf 'pw\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null;"
const sessions = {
  /** No D-Bus at all, as on a server or in CI. */
  none: ['sh', '-c', '"$@"', 'sh'],
  /** A bus with a locked keyring. */
  locked: ['dbus-run-session', '--', 'sh', '-c', '"$@"', 'sh'],
  /** A bus that cannot start a Secret Service. */
  'empty bus': ['sh', '-c', 'exec dbus-run-session --config-file="$HOME/empty.conf" -- "$@"', 'sh'],
  /** Every call stays open forever, like an unanswered prompt. */
  'mute bus': ['sh', '-c', 'exec dbus-run-session --config-file="$HOME/mute.conf" -- "$@"', 'sh'],
  unlocked: ['dbus-run-session', '--', 'sh', '-c', `${unlock} "$@"`, 'sh'],
}

/** Runs the body of an async function of `openSecrets` and `dataDir`, and resolves with its result. */
async function run(
  session: keyof typeof sessions,
  body: string,
  variables: Record<string, string> = {},
): Promise<unknown> {
  const program = `
    import { openSecrets } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))}
    const dataDir = ${JSON.stringify(dataDir)}
    const env = process.env
    const value = await (async () => {${body}})()
    console.log(JSON.stringify(value))`
  const [command = '', ...before] = sessions[session]
  const args = [...before, process.execPath, '--input-type=module', '--eval', program]
  const env = { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home, ...variables }
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  const last = output.trim().split('\n').at(-1)
  if (!last) throw new Error(`the program printed nothing: ${problems}`)
  return JSON.parse(last)
}

async function everyFile(): Promise<string> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

const canary = 'sk-canary-8f41c0'

describe('an unlocked keyring', () => {
  test('keeps a key for the next start, and no file of the data folder holds it', async () => {
    const state = await run(
      'unlocked',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       await secrets.set('openai', '${canary}', 'https://a.test')
       return secrets.state()`,
    )
    const again = await run(
      'unlocked',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       return await secrets.get('openai')`,
    )

    expect(state).toMatchObject({ backend: 'keychain', state: 'ready' })
    expect(again).toBe(canary)
    expect(await everyFile()).toContain('"backend":"keychain"')
    expect(await everyFile()).not.toContain(canary)
  })

  test('forgets a removed key', async () => {
    const after = await run(
      'unlocked',
      `const secrets = await openSecrets({ dataDir, env, allowSession: false })
       await secrets.set('openai', 'first', 'https://a.test')
       await secrets.set('openai', 'second', 'https://a.test')
       const kept = await secrets.get('openai')
       await secrets.delete('openai')
       return [kept, await secrets.get('openai')]`,
    )

    expect(after).toEqual(['second', null])
  })

  test('keeps the keys of two data folders apart', async () => {
    const keys = await run(
      'unlocked',
      `const one = await openSecrets({ dataDir: dataDir + '/one', env, allowSession: false })
       const two = await openSecrets({ dataDir: dataDir + '/two', env, allowSession: false })
       await one.set('openai', 'of one', 'https://a.test')
       await two.set('openai', 'of two', 'https://a.test')
       return [await one.get('openai'), await two.get('openai')]`,
    )

    expect(keys).toEqual(['of one', 'of two'])
  })
})

describe('a locked keyring', () => {
  test('is an error that names the solutions, not "there is no key"', async () => {
    await run(
      'unlocked',
      `const secrets = await openSecrets({ dataDir, env, allowSession: false })
       await secrets.set('openai', '${canary}', 'https://a.test')`.concat('; return true'),
    )

    const message = await run(
      'locked',
      `const secrets = await openSecrets({ dataDir, env, allowSession: false })
       return await secrets.get('openai').catch((error) => error.name + ': ' + error.message)`,
    )

    expect(message).toMatch(/^SecretStoreError: The keychain is locked\. Unlock it/)
    expect(message).toContain('MODELPORT_VAULT_PASSPHRASE')
  })

  test('accepts no key headless, and reports it before anything is written', async () => {
    const result = await run(
      'locked',
      `const secrets = await openSecrets({ dataDir, env, allowSession: false })
       const error = await secrets.set('openai', '${canary}', 'https://a.test').catch((error) => error.message)
       return [secrets.state(), error]`,
    )

    expect(result).toEqual([
      { backend: 'keychain', state: 'locked', message: expect.stringContaining('is locked') },
      expect.stringContaining('is locked'),
    ])
    expect(await everyFile()).not.toContain('openai')
  })
})

test('a key of this session moves to the keychain when a retry finds the keychain', async () => {
  const result = await run(
    'empty bus',
    `const { execSync } = await import('node:child_process')
     const secrets = await openSecrets({ dataDir, env, allowSession: true })
     await secrets.set('openai', '${canary}', 'https://a.test')
     const before = secrets.state()
     execSync(${JSON.stringify(unlock)}, { stdio: 'ignore' })
     let after = await secrets.retry()
     for (let tries = 0; tries < 50 && after.backend !== 'keychain'; tries++) {
       await new Promise((resolve) => setTimeout(resolve, 100))
       after = await secrets.retry()
     }
     const later = await openSecrets({ dataDir, env, allowSession: false })
     return [before, after.backend, await later.get('openai')]`,
  )

  const before = expect.objectContaining({ backend: 'session', state: 'missing' })
  expect(result).toEqual([before, 'keychain', canary])
})

test('a keychain that never answers is reported as hung, and the process can still exit', async () => {
  const state = await run(
    'mute bus',
    `const secrets = await openSecrets({ dataDir, env, allowSession: false })
     setTimeout(() => process.exit(), 100)
     return secrets.state()`,
  )

  const message = expect.stringContaining('did not answer within 5 seconds')
  expect(state).toEqual({ backend: 'keychain', state: 'hung', message })
})

describe('no keychain', () => {
  test('is a separate state, and no key is accepted headless', async () => {
    const result = await run(
      'none',
      `const secrets = await openSecrets({ dataDir, env, allowSession: false })
       return [secrets.state(), await secrets.set('a', 'b', 'https://a.test').catch((error) => error.message)]`,
    )

    const message = expect.stringMatching(/No keychain can be reached.*MODELPORT_KEY_/)
    expect(result).toEqual([{ backend: 'keychain', state: 'missing', message }, message])
  })

  test('lets the desktop app keep a key in memory, and says that it will be forgotten', async () => {
    const result = await run(
      'none',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       await secrets.set('openai', '${canary}', 'https://a.test')
       return [secrets.state(), await secrets.get('openai')]`,
    )

    const message = expect.stringContaining('forgotten when the app quits')
    expect(result).toEqual([{ backend: 'session', state: 'missing', message }, canary])
    expect(await everyFile()).not.toContain(canary)
  })

  test('with a passphrase keeps a key in the vault for the next start', async () => {
    const variables = { MODELPORT_VAULT_PASSPHRASE: 'correct horse' }
    const state = await run(
      'none',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       await secrets.set('openai', '${canary}', 'https://a.test')
       return secrets.state()`,
      variables,
    )
    const again = await run(
      'none',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       return await secrets.get('openai')`,
      variables,
    )

    expect(state).toMatchObject({ backend: 'vault', state: 'ready' })
    expect(again).toBe(canary)
    expect(await everyFile()).not.toContain(canary)
    expect((await stat(join(dataDir, 'vault.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'secrets', 'key-openai.json'))).mode & 0o777).toBe(0o600)
  })

  test('with a wrong passphrase neither stores nor returns a key', async () => {
    const write = `const secrets = await openSecrets({ dataDir, env, allowSession: true })
      await secrets.set('openai', '${canary}', 'https://a.test')
      return true`
    await run('none', write, { MODELPORT_VAULT_PASSPHRASE: 'correct horse' })

    const result = await run(
      'none',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       const failure = (error) => error.message
       return [
         secrets.state(),
         await secrets.get('openai').catch(failure),
         await secrets.set('openai', 'other', 'https://a.test').catch(failure),
       ]`,
      { MODELPORT_VAULT_PASSPHRASE: 'wrong horse' },
    )

    const message = expect.stringContaining('does not open the vault')
    expect(result).toEqual([{ backend: 'vault', state: 'locked', message }, message, message])
  })

  test('without the passphrase a key in the vault is an error, not "there is no key"', async () => {
    const write = `const secrets = await openSecrets({ dataDir, env, allowSession: true })
      await secrets.set('openai', '${canary}', 'https://a.test')
      return true`
    await run('none', write, { MODELPORT_VAULT_PASSPHRASE: 'correct horse' })

    const message = await run(
      'none',
      `const secrets = await openSecrets({ dataDir, env, allowSession: true })
       return await secrets.get('openai').catch((error) => error.message)`,
    )

    expect(message).toContain('is in the vault')
  })
})

const noKeytar = () => Promise.reject(new Error('no keytar here'))
const open = (env: Record<string, string>) =>
  openSecrets({ dataDir, allowSession: true, env, loadKeytar: noKeytar })

describe('the environment', () => {
  test('returns the key of its variable, upper-cased with underscores, before any other', async () => {
    await (await open({})).set('my-openai', 'stored', 'https://a.test')

    const secrets = await open({ MODELPORT_KEY_MY_OPENAI: 'given' })

    expect(await secrets.get('my-openai')).toBe('given')
  })

  test('is read only', async () => {
    const secrets = await open({ MODELPORT_KEY_OPENAI: 'given' })

    await expect(secrets.set('openai', 'other', 'https://a.test')).rejects.toThrow(
      /MODELPORT_KEY_OPENAI.*Unset the variable/,
    )
  })
})

describe('an address', () => {
  const vault = { MODELPORT_VAULT_PASSPHRASE: 'correct horse' }

  test('is kept with the key of the vault, and replaced with it', async () => {
    const secrets = await open(vault)
    await secrets.set('openai', 'one', 'https://one.test')
    const again = await open(vault)

    expect(await again.boundTo('openai')).toBe('https://one.test')
    await again.set('openai', 'two', 'https://two.test')
    expect(await again.boundTo('openai')).toBe('https://two.test')
  })

  test('is kept for the keys of a variable, beside that of a stored key', async () => {
    await (await open({})).set('openai', 'stored', 'https://stored.test')
    const given = await open({ MODELPORT_KEY_OPENAI: 'given' })

    expect(await given.boundTo('openai')).toBeNull()
    await given.bindVariable('openai', 'https://given.test')

    const again = await open({ MODELPORT_KEY_OPENAI: 'given' })
    expect(await again.boundTo('openai')).toBe('https://given.test')
  })

  test('of a key in use is that of its first use', async () => {
    const secrets = await open({ MODELPORT_KEY_OPENAI: 'given' })

    const first = await readProviderKeys(secrets, 'openai', 'https://one.test')
    const other = await readProviderKeys(secrets, 'openai', 'https://two.test')

    expect(first.usable).toEqual([{ name: 'openai', secret: 'given' }])
    expect(other).toEqual({
      usable: [],
      elsewhere: [{ name: 'openai', origin: 'https://one.test' }],
    })
  })
})

describe('several keys', () => {
  test('of a variable are separated by commas, unless the value is JSON', async () => {
    const several = await open({ MODELPORT_KEY_OPENAI: 'one, two,,three' })
    const json = await open({ MODELPORT_KEY_VERTEX: '{"a":1,"b":2}' })

    expect(await several.names('openai')).toEqual(['openai', 'openai.2', 'openai.3'])
    expect(await several.get('openai.3')).toBe('three')
    expect(await json.names('vertex')).toEqual(['vertex'])
    expect(await json.get('vertex')).toBe('{"a":1,"b":2}')
  })

  test('are deleted together, and those of another provider stay', async () => {
    const vault = { MODELPORT_VAULT_PASSPHRASE: 'correct horse' }
    const secrets = await open(vault)
    for (const name of ['team', 'team.second', 'team-b', 'team-b.second']) {
      await secrets.set(name, `key of ${name}`, 'https://a.test')
    }

    expect(await secrets.names('team')).toEqual(['team', 'team.second'])
    await secrets.deleteAll('team')

    expect(await secrets.names('team')).toEqual([])
    expect(await secrets.names('team-b')).toEqual(['team-b', 'team-b.second'])
    expect(await secrets.get('team-b.second')).toBe('key of team-b.second')
  })
})
