/** `connect` and `run`, with the user's home in the data folder of the tests. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const dataDir = temporaryFolder(afterAll)
const { run, json } = newModelport(dataDir)
const claudeSettings = join(dataDir, '.claude', 'settings.json')

async function newestKey() {
  const keys = await json('key', 'list')
  return keys.toSorted((a, b) => Number(b['createdAtMs']) - Number(a['createdAtMs']))[0]
}

function writeSettings(text: string): void {
  mkdirSync(join(dataDir, '.claude'), { recursive: true })
  writeFileSync(claudeSettings, text)
}

test('lists the tools, with the reason for those that cannot connect', async () => {
  const { stdout } = await run(['connect', '--list'])
  expect(stdout).toMatch(/^claude-code +Claude Code +Messages +yes +yes/m)
  expect(stdout).toMatch(/^cursor .*cannot connect: Cursor sends requests/m)
  expect(await json('connect')).toContainEqual(expect.objectContaining({ id: 'curl' }))
})

test('prints what to enter with a new key for the only router', async () => {
  const { code, stdout, stderr } = await run(['connect', 'curl'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /Base URL +https:\/\/localhost:6778\/api\/router\/router_\w{16}\/v1\nAPI key +mp_\w{36}\n/,
  )
  expect(stdout).toContain('curl --cacert')
  expect(stderr).toContain('Modelport is not running now.')
  expect(stderr).toContain('keep it out of version control')
  expect(await newestKey()).toMatchObject({ name: 'curl', acceptAnyModel: true })
})

test.each(['--write', '--undo', '--print'])('%s without a tool is wrong usage', async (option) => {
  const { code, stderr } = await run(['connect', option])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Name the tool.')])
})

test('a tool gets absolute paths, also for a data folder that was given as a relative one', async () => {
  const { stdout } = await run(['connect', 'curl', '--data-dir', relative(process.cwd(), dataDir)])
  expect(stdout).toContain(join(dataDir, 'tls', 'ca.pem'))
})

test('writes a tool’s file and shows the difference, and undoes it', async () => {
  writeSettings('{"model": "opus"}')
  const written = await run(['connect', 'claude-code', '--write'])
  expect(written.stdout).toContain(`Changed ${claudeSettings}. A copy is at `)
  expect(written.stderr).toContain('+    "ANTHROPIC_AUTH_TOKEN": "mp_…')
  expect(readFileSync(claudeSettings, 'utf8')).toMatch(/"ANTHROPIC_AUTH_TOKEN": "mp_\w{36}"/)

  const undone = await run(['connect', 'claude-code', '--undo'])
  expect(undone.stdout).toBe(`Restored ${claudeSettings}.\nRevoked the key that was in them.\n`)
  expect(readFileSync(claudeSettings, 'utf8')).toBe('{"model": "opus"}')
  expect(await newestKey()).toMatchObject({ revokedAtMs: expect.any(Number) })
})

test.each([
  ['has no JSON', 'It is not valid JSON.', () => writeSettings('no JSON')],
  ['is a pipe', 'It is a pipe, not a regular file.', makePipe],
  ['links to itself', 'a link that leads back to itself', linkToItself],
  ['has another type', 'Its “env” must be an object.', () => writeSettings('{"env": 7}')],
])('revokes the key when a file %s, and says so without a stack', async (_name, words, make) => {
  rmSync(claudeSettings, { force: true })
  make()
  const { code, stderr } = await run(['connect', 'claude-code', '--write'])
  expect(code).toBe(2)
  expect(stderr).toContain(words)
  expect(stderr).toContain(claudeSettings)
  expect(stderr).not.toMatch(/^ +at /m)
  expect(await newestKey()).toMatchObject({ revokedAtMs: expect.any(Number) })
  rmSync(claudeSettings)
})

function makePipe(): void {
  execFileSync('mkfifo', [claudeSettings])
}

function linkToItself(): void {
  symlinkSync(claudeSettings, claudeSettings)
}

test('waits for the first request, and says which model answered', async () => {
  const startedAtMs = Date.now()
  const waiting = run(['connect', 'claude-code', '--wait', '30'])
  await expect.poll(async () => (await newestKey())?.['createdAtMs']).toBeGreaterThan(startedAtMs)
  const storage = await openStorage({ dataDir })
  const record = sampleRecord({
    id: 'request-1',
    apiKeyId: String((await newestKey())?.['id']),
    startedAtMs: Date.now(),
    modelUsed: 'openai:gpt-5',
    status: 200,
    costNanoUsd: 4_200_000,
    latencyMs: 812.4,
  })
  const client = 'claude-cli/2.1.330 (external, cli)'
  await storage.ledger.append(record, sampleDetail({ client }))
  await storage.close()

  expect((await waiting).stdout).toContain(
    'Claude Code works: openai:gpt-5 answered in 812 ms for $0.0042.\n',
  )
})

test('names what the running service refused when no request arrives', async () => {
  const note = join(dataDir, 'refused-connections.json')
  const refusal = { kind: 'certificate_refused', client: null, detail: 'unknown ca', count: 3 }
  writeFileSync(note, JSON.stringify([{ ...refusal, timesMs: [Date.now() + 60_000] }]))
  const { code, stderr } = await run(['connect', 'codex', '--wait', '1'])
  rmSync(note)
  expect(code).toBe(1)
  expect(stderr).toContain('3 × A client refused Modelport’s certificate (unknown ca).')
})

/** A program in PATH that writes its arguments and environment to a file, and exits with 3. */
function installFakeTool(name: string) {
  const folder = join(dataDir, 'bin')
  const seen = join(dataDir, 'seen.txt')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > '${seen}'\nenv >> '${seen}'\nexit 3\n`)
  chmodSync(join(folder, name), 0o755)
  return { PATH: `${folder}:${process.env['PATH']}`, seen }
}

test('runs a tool with its own key in the environment only, and revokes it at the end', async () => {
  const { PATH, seen } = installFakeTool('claude')
  const env = { PATH, ANTHROPIC_API_KEY: 'sk-ant-other' }
  const args = ['run', 'claude-code', '--data-dir', dataDir, '--', '-p', 'Hello there']
  expect(await run(args, { env })).toEqual({
    code: 3,
    stdout: '',
    stderr: 'Modelport is not running now. Start the app, or run: modelport serve\n',
  })

  const [given, ...variables] = readFileSync(seen, 'utf8').split('\n')
  expect(given).toMatch(/^-p Hello there/)
  expect(given).not.toContain('mp_')
  expect(variables.join('\n')).toMatch(/^ANTHROPIC_AUTH_TOKEN=mp_\w{36}$/m)
  expect(variables).toContain(`NODE_EXTRA_CA_CERTS=${join(dataDir, 'tls', 'ca.pem')}`)
  expect(variables.join('\n')).not.toContain('ANTHROPIC_API_KEY')
  expect(await newestKey()).toMatchObject({
    name: 'Claude Code (run)',
    revokedAtMs: expect.any(Number),
  })
})

test('gives a tool no keys of providers, no passphrase and no cache of Modelport', async () => {
  const { PATH, seen } = installFakeTool('claude')
  const env = {
    PATH,
    MODELPORT_CACHE_DIR: '/cache',
    NODE_COMPILE_CACHE: '/cache/compiled',
    MODELPORT_KEY_OPENAI: 'sk-provider',
    modelport_key_other: 'sk-lower-case',
    MODELPORT_VAULT_PASSPHRASE: 'correct horse battery staple',
  }
  await run(['run', 'claude-code', '--data-dir', dataDir], { env })
  const variables = readFileSync(seen, 'utf8')
  expect(variables).toContain('ANTHROPIC_AUTH_TOKEN=')
  expect(variables).not.toMatch(/sk-provider|sk-lower-case|battery|NODE_COMPILE_CACHE/)
})

test('gives Codex its provider as arguments, without the key', async () => {
  const { PATH, seen } = installFakeTool('codex')
  const args = ['run', 'codex', '--data-dir', dataDir, '--', 'exec', 'Hello']
  expect((await run(args, { env: { PATH } })).code).toBe(3)
  const [given, ...variables] = readFileSync(seen, 'utf8').split('\n')
  expect(given).toContain(
    '-c model_providers.modelport.base_url=https://localhost:6778/api/router/router_',
  )
  expect(given).toMatch(/-c model_context_window=\d+ /)
  expect(given).toMatch(/ exec Hello/)
  expect(given).not.toContain('mp_')
  expect(variables.join('\n')).toMatch(/^MODELPORT_API_KEY=mp_\w{36}$/m)
})

test('gives Gemini CLI the user’s folder with other settings, and keeps what it saves', async () => {
  const { PATH, seen } = installFakeTool('gemini')
  const saves = [
    '#!/bin/sh',
    'folder="$GEMINI_CLI_HOME/.gemini"',
    `cat "$folder/settings.json" "$folder/GEMINI.md" > '${seen}'`,
    `env >> '${seen}'`,
    'mkdir "$folder/history" && echo chat > "$folder/history/1.json"',
    'echo theirs > "$folder/settings.json"',
    'exit 3',
  ]
  writeFileSync(join(dataDir, 'bin', 'gemini'), saves.join('\n'))
  const own = join(dataDir, '.gemini')
  mkdirSync(own)
  writeFileSync(join(own, 'settings.json'), 'no JSON')
  const refused = await run(['run', 'gemini-cli'], { env: { PATH } })
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('It is not valid JSON.'),
  ])
  const text = '{"theme": "dark", "security": {"auth": {"selectedType": "oauth-personal"}}}'
  writeFileSync(join(own, 'settings.json'), text)
  writeFileSync(join(own, 'GEMINI.md'), 'Be short.\n')

  const { code } = await run(['run', 'gemini-cli', '--data-dir', dataDir], { env: { PATH } })

  expect(code).toBe(3)
  const given = readFileSync(seen, 'utf8')
  expect(given).toMatch(/"theme": "dark".*"selectedType": "gemini-api-key".*Be short/s)
  expect(given).toMatch(
    /^GOOGLE_GEMINI_BASE_URL=https:\/\/localhost:6778\/api\/router\/router_\w{16}$/m,
  )
  expect(given).toMatch(/^GEMINI_API_KEY=mp_\w{36}$/m)
  expect(existsSync(/^GEMINI_CLI_HOME=(.+)$/m.exec(given)?.[1] ?? '')).toBe(false)
  expect(readFileSync(join(own, 'settings.json'), 'utf8')).toBe(text)
  expect(readFileSync(join(own, 'history', '1.json'), 'utf8')).toBe('chat\n')
})

test('says when the tool is not installed, and leaves no key', async () => {
  const { code, stderr } = await run(['run', 'codex'], { env: { PATH: join(dataDir, 'tls') } })
  expect(code).toBe(1)
  expect(stderr).toContain('codex is not installed, or not in PATH.')
  expect(await newestKey()).toMatchObject({ revokedAtMs: expect.any(Number) })
})

test('refuses to run a tool that does not read its environment', async () => {
  const { code, stderr } = await run(['run', 'curl'])
  expect(code).toBe(2)
  expect(stderr).toContain('modelport connect curl')
})

test('refuses two actions at once', async () => {
  expect((await run(['connect', 'curl', '--write', '--undo'])).code).toBe(2)
})

test('uses the address of the running service', async () => {
  await run(['settings', 'set', 'port', '0'])
  expect((await run(['connect', 'curl'])).stderr).toContain('Start Modelport first')
  const note = { url: 'https://localhost:7001', pid: process.pid, certFile: null }
  writeFileSync(join(dataDir, 'endpoint.json'), JSON.stringify(note))
  const { stdout, stderr } = await run(['connect', 'curl'])
  expect(stdout).toContain('https://localhost:7001/api/router/')
  expect(stderr).not.toContain('not running')
})

test('asks for the router when there are several, and connects the given one', async () => {
  const models = 'local:smollm2-135m-instruct'
  const create = ['router', 'create', '--name', 'Second', '--strategy', 'priority']
  const { id } = JSON.parse((await run([...create, '--models', models])).stdout)

  const refused = await run(['connect', 'curl'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(`--router ${id}  Second`)
  const [connection] = await json('connect', 'curl', '--router', id)
  expect(connection).toMatchObject({ routerId: id, toolId: 'curl' })
})
