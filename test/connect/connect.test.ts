/** Connecting tools: keys, files with their undo, and why a connection does not work. */
import { execFile } from 'node:child_process'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectActions } from '../../src/service/dashboard/connect-actions.ts'
import { placeholderKey, type ConnectableTool } from '../../src/shared/app/connect.ts'
import { openToolRecords } from '../../src/service/connect/tool-record.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
let connect: ConnectActions
const home = temporaryFolder(afterAll)
const claudeSettings = join(home, '.claude', 'settings.json')

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService(
    { service: { home: { dir: home, platform: 'linux', env: {} } } },
    atEnd,
  )
  connect = running.service.dashboard.connect
})

async function writeSettings(content: string | Buffer): Promise<void> {
  await mkdir(join(home, '.claude'), { recursive: true })
  await writeFile(claudeSettings, content)
}

const start = (toolId = 'claude-code') => connect.connect({ toolId, routerId: running.routerId })

async function useKey(key: string, headers: Record<string, string> = {}) {
  const answer = await running.post('chat/completions', hello, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
  await answer.body?.cancel()
  return answer.status
}

async function keyState(id: string): Promise<'active' | 'revoked'> {
  const keys = await running.service.dashboard.apiKeys()
  return keys.find((key) => key.id === id)?.revokedAtMs === null ? 'active' : 'revoked'
}

async function claudeCode() {
  const tools = await connect.tools()
  // Test boundary: this tool can connect.
  return tools.find(({ id }) => id === 'claude-code') as ConnectableTool
}

describe('connecting a tool', () => {
  test('creates a key with the tool’s name that only this router accepts, with any model name', async () => {
    const { id, key, keyHint, baseUrl } = await start('curl')
    const keys = await running.service.dashboard.apiKeys()

    expect(keys.find((each) => each.id === id)).toMatchObject({
      name: 'curl',
      routers: [running.routerId],
      acceptAnyModel: true,
      hint: keyHint,
    })
    expect(baseUrl).toBe(`${running.routerUrl}/v1`)
    expect(await useKey(key)).toBe(200)
  })

  test('an assistant names the router’s models, so its key takes no other names', async () => {
    const { id } = await start('claude-desktop')
    const keys = await running.service.dashboard.apiKeys()
    expect(keys.find((each) => each.id === id)).toMatchObject({
      routers: [running.routerId],
      acceptAnyModel: false,
    })
  })

  test('a key made at a terminal ends after an hour without use, as in the window', async () => {
    const { id } = await start('curl')

    const { keys } = await openToolRecords(running.dataDir).read('curl')
    const made = keys.find((key) => key.id === id)
    const { createdAtMs = Infinity } =
      (await running.service.dashboard.apiKeys()).find((key) => key.id === id) ?? {}
    expect(made?.unusedUntilMs).toBeGreaterThanOrEqual(createdAtMs + 3_600_000)
  })

  test('a plan has a key that opens nothing until it is written or copied', async () => {
    const before = await running.service.dashboard.apiKeys()
    const { id, key } = await connect.prepare({ toolId: 'codex', routerId: running.routerId })
    expect(await running.service.dashboard.apiKeys()).toEqual(before)
    expect(await connect.status(id)).toMatchObject({ first: null, last: null })
    expect(await useKey(key)).toBe(401)

    await connect.activate(id)
    await connect.activate(id)
    expect(await keyState(id)).toBe('active')
    expect(await useKey(key)).toBe(200)
  })

  test('again revokes the tool’s unused key, but no key that was used', async () => {
    const unused = await start('codex')
    const used = await start('codex')
    await useKey(used.key)
    await expect.poll(async () => (await connect.status(used.id)).first).not.toBeNull()
    const last = await start('codex')

    expect(await keyState(unused.id)).toBe('revoked')
    expect(await keyState(used.id)).toBe('active')
    expect(await keyState(last.id)).toBe('active')
  })

  test('names localhost and the files of the certificate authority', async () => {
    const { caFile, caBundleFile, baseUrl, snippets } = await start()
    expect(baseUrl).toMatch(/^https:\/\/localhost:/)
    expect(await readFile(caFile, 'utf8')).toContain('BEGIN CERTIFICATE')
    expect(caBundleFile).toBe(caFile.replace('ca.pem', 'ca-bundle.pem'))
    expect(snippets[0]?.text).toContain(`NODE_EXTRA_CA_CERTS=${caFile}`)
  })

  test('sample calls have the texts of the tools and a placeholder, and create no key', async () => {
    const before = await running.service.dashboard.apiKeys()
    const { baseUrl, tools } = await connect.samples(running.routerId)
    expect(await running.service.dashboard.apiKeys()).toEqual(before)

    expect(baseUrl).toBe(`${running.routerUrl}/v1`)
    expect(tools.map(({ id }) => id)).toEqual([
      'modelport-js',
      'modelport-python',
      'curl',
      'openai-js',
      'openai-python',
    ])
    for (const { id, snippets } of tools) {
      const connection = await start(id)
      const shown = connection.snippets.map(({ text }) =>
        text.replaceAll(connection.key, placeholderKey),
      )
      expect(snippets.map(({ text }) => text)).toEqual(shown)
    }
  })

  test('sample calls of an unknown router are refused', async () => {
    await expect(connect.samples('router_0')).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['an unknown tool', 'emacs', 'not_found', 'There is no tool "emacs".'],
    ['a tool that calls from its own servers', 'cursor', 'invalid', 'cannot reach this computer'],
  ])('refuses %s', async (_name, toolId, code, message) => {
    await expect(start(toolId)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    })
  })

  test('leaves no key when its files cannot be read', async () => {
    await rm(join(home, '.claude'), { recursive: true, force: true })
    await writeFile(join(home, '.claude'), '')
    const before = await running.service.dashboard.apiKeys()
    await expect(start()).rejects.toThrow(claudeSettings)
    await rm(join(home, '.claude'))
    expect(await running.service.dashboard.apiKeys()).toEqual(before)
  })

  test('refuses an unknown router', async () => {
    await expect(
      connect.connect({ toolId: 'curl', routerId: 'router_none' }),
    ).rejects.toMatchObject({ code: 'not_found', field: 'routerId' })
  })
})

describe('writing a tool’s files', () => {
  const mine =
    '{\n  // for work\n  "model": "opus",\n  "env": { "NODE_EXTRA_CA_CERTS": "/corp.pem" }\n}\n'

  test('shows the difference without the key, writes it, and restores every byte', async () => {
    await writeSettings(mine)
    await chmod(claudeSettings, 0o640)

    const { id, key, files, caBundleFile } = await start()
    expect(files).toMatchObject([{ path: claudeSettings, isNew: false, problem: null }])
    expect(files[0]?.diff).toContain(`+    "ANTHROPIC_AUTH_TOKEN": "mp_…${key.slice(-4)}"`)
    expect(files[0]?.diff).not.toContain(key)
    expect(await readFile(claudeSettings, 'utf8')).toBe(mine)

    const written = await connect.write(id)
    const text = await readFile(claudeSettings, 'utf8')
    expect(text).toContain('// for work')
    expect(text).toContain(key)
    expect(text).toContain('"CLAUDE_CODE_GATEWAY_HINT_HEADERS": "1"')
    // A company's own authority stays trusted.
    expect(text).toContain(caBundleFile)
    // Other users could read the key.
    expect((await stat(claudeSettings)).mode & 0o777).toBe(0o600)
    expect(await readFile(written.files[0]?.backup ?? '', 'utf8')).toBe(mine)
    expect((await claudeCode()).written).toMatchObject({
      connectionId: id,
      files: [claudeSettings],
    })

    expect(await connect.undo('claude-code')).toEqual({ files: [claudeSettings], connectionId: id })
    expect(await readFile(claudeSettings, 'utf8')).toBe(mine)
    expect((await stat(claudeSettings)).mode & 0o777).toBe(0o640)
    expect(await keyState(id)).toBe('revoked')
    expect((await claudeCode()).written).toBeNull()
  })

  test('twice is undone at once, to the file before the first', async () => {
    await writeSettings(mine)
    const first = await start()
    await connect.write(first.id)
    const second = await start()
    expect(await keyState(first.id)).toBe('active')
    await connect.write(second.id)
    expect(await readFile(claudeSettings, 'utf8')).toContain(second.key)

    await connect.undo('claude-code')

    expect(await readFile(claudeSettings, 'utf8')).toBe(mine)
  })

  test('creates missing files for the owner only, and deletes them again', async () => {
    const { id, key } = await start('codex')
    await connect.write(id)
    const folder = join(home, '.codex')
    expect((await readdir(folder)).toSorted()).toEqual(['.env', 'config.toml'])
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(folder, '.env'), 'utf8')).toContain(`MODELPORT_API_KEY=${key}`)

    await connect.undo('codex')

    expect(await readdir(folder)).toEqual([])
  })

  test('does not undo in a file that cannot be read any more, and names the copy', async () => {
    await writeSettings(mine)
    const { id } = await start()
    const { files } = await connect.write(id)
    await writeSettings('{"changed": ')

    await expect(connect.undo('claude-code')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(files[0]?.backup ?? 'no backup'),
    })
    expect(await readFile(claudeSettings, 'utf8')).toBe('{"changed": ')
    expect(await keyState(id)).toBe('active')
  })

  test('does not write over a change since the difference was shown', async () => {
    await writeSettings(mine)
    const { id } = await start()
    await writeSettings('{"changed": true}')

    await expect(connect.write(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await readFile(claudeSettings, 'utf8')).toBe('{"changed": true}')
  })

  test.each([
    ['is not JSON', Buffer.from('{"a": ')],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('refuses a file that %s, and leaves it', async (_name, bytes) => {
    await writeSettings(bytes)
    const { id, files } = await start()
    expect(files[0]?.problem).toContain('change it by hand')
    await expect(connect.write(id)).rejects.toMatchObject({ code: 'invalid' })
    expect(await readFile(claudeSettings)).toEqual(bytes)
  })

  test('follows a link and leaves it in place', async () => {
    const target = join(home, 'dotfiles-settings.json')
    await writeFile(target, mine)
    await writeSettings(mine)
    await rm(claudeSettings)
    await symlink(target, claudeSettings)
    const { id, key } = await start()
    await connect.write(id)
    expect(await readFile(target, 'utf8')).toContain(key)
    await connect.undo('claude-code')
    expect(await readFile(target, 'utf8')).toBe(mine)
  })

  test('follows a link to a file that does not exist yet', async () => {
    const target = join(home, 'dotfiles-new.json')
    await rm(claudeSettings, { force: true })
    await symlink('../dotfiles-new.json', claudeSettings)
    const { id, key } = await start()
    await connect.write(id)
    expect(await readlink(claudeSettings)).toBe('../dotfiles-new.json')
    expect(await readFile(target, 'utf8')).toContain(key)
    await connect.undo('claude-code')
    expect(await readlink(claudeSettings)).toBe('../dotfiles-new.json')
    await expect(stat(target)).rejects.toThrow('ENOENT')
    await rm(claudeSettings)
  })

  test('leaves every file as it was when one of them cannot be written', async () => {
    const folder = join(home, '.codex')
    const config = '# mine\nmodel = "gpt-5"\n'
    // Its temporary file would have a name that is too long.
    const unwritable = join(home, 'x'.repeat(250))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'config.toml'), config)
    await symlink(unwritable, join(folder, '.env'))
    const { id } = await start('codex')

    await expect(connect.write(id)).rejects.toThrow('ENAMETOOLONG')

    expect(await readFile(join(folder, 'config.toml'), 'utf8')).toBe(config)
    await expect(connect.undo('codex')).rejects.toMatchObject({ code: 'not_found' })
    await rm(folder, { recursive: true })
  })

  test('that changed keeps the first copy for undo', async () => {
    await writeSettings(mine)
    const first = await start()
    await connect.write(first.id)
    const written = await readFile(claudeSettings)
    const second = await start()
    await writeSettings('{"changed": true}')
    await expect(connect.write(second.id)).rejects.toMatchObject({ code: 'conflict' })
    await writeSettings(written)

    await connect.undo('claude-code')

    expect(await readFile(claudeSettings, 'utf8')).toBe(mine)
    expect(await keyState(first.id)).toBe('revoked')
  })

  test('of a tool without files is refused', async () => {
    const { id } = await start('curl')
    await expect(connect.write(id)).rejects.toMatchObject({ code: 'invalid' })
    await expect(connect.undo('curl')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the status of a connection', () => {
  test('has the first and the last request, with the tool that sent it', async () => {
    const { id, key } = await start()
    expect(await connect.status(id)).toMatchObject({ first: null, last: null })
    await useKey(key, { 'user-agent': 'claude-cli/2.1.330 (external, cli)' })
    await useKey(key, { 'user-agent': 'my-script' })

    await expect
      .poll(() => connect.status(id))
      .toMatchObject({
        first: { status: 200, modelUsed: 'fake:fake-model', tool: 'Claude Code' },
        last: { status: 200, client: 'my-script', tool: null },
      })
  })

  const problems = async (kind: string) =>
    (await connect.problems()).filter((problem) => problem.kind === kind)

  test('counts clients that refuse the certificate, by alert and by reset', async () => {
    // Node.js resets the connection; curl sends an alert.
    await expect(fetch(running.origin)).rejects.toThrow('fetch failed')
    await expect(promisify(execFile)('curl', [running.origin])).rejects.toMatchObject({ code: 60 })

    const refused = () => problems('certificate_refused')
    await expect
      .poll(async () => new Set((await refused()).map(({ detail }) => detail)))
      .toEqual(new Set(['connection reset', 'unknown ca']))
    expect((await refused())[0]?.message).toContain('ca.pem')
  })

  test.each([
    ['a missing key', {}, 'wrong_key', 'missing'],
    ['a placeholder', { authorization: 'Bearer DUMMY_KEY' }, 'wrong_key', 'malformed'],
    [
      'a foreign origin',
      { authorization: 'Bearer x', origin: 'app://tool' },
      'origin_refused',
      'app://tool',
    ],
  ])('names %s and the client', async (_name, headers, kind, detail) => {
    await running.get('v1/models', {
      headers: { authorization: '', 'user-agent': 'curl/8.5.0', ...headers },
    })
    expect(await problems(kind)).toContainEqual(
      expect.objectContaining({ detail, client: 'curl/8.5.0', tool: 'curl', lastMinute: 1 }),
    )
  })

  test('names a revoked key', async () => {
    const { id, key } = await start('curl')
    await running.service.dashboard.revokeApiKey(id)
    await useKey(key)
    await useKey(key)
    expect(await problems('wrong_key')).toContainEqual(
      expect.objectContaining({ detail: 'revoked', count: 2 }),
    )
  })

  test('names the key that called a router it may not use', async () => {
    const { dashboard } = running.service
    const input = { name: 'Other', strategy: 'priority' as const, models: ['fake:fake-model'] }
    const { id } = await dashboard.createRouter(input)
    const { key } = await dashboard.createApiKey({ name: 'Only other', routers: [id] })
    await useKey(key)
    const [refused] = await problems('router_refused')
    expect(refused).toMatchObject({ detail: 'Only other' })
    expect(refused?.message).toContain('its key “Only other” may not use')
  })

  test('names plain HTTP, and an address that does not exist', async () => {
    await expect(fetch(running.origin.replace('https', 'http'))).resolves.toMatchObject({
      status: 426,
    })
    await running.get(`${running.origin}/v1/chat/completions`)
    expect(await problems('plain_http')).toHaveLength(1)
    expect(await problems('wrong_address')).toContainEqual(
      expect.objectContaining({ detail: 'GET /v1/chat/completions' }),
    )
  })

  test('of a key that does not exist is refused', async () => {
    await expect(connect.status('key_none')).rejects.toMatchObject({ code: 'not_found' })
  })
})
