/** What every tool of the registry must do. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname } from 'node:path'
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml'
import { parse as parseToml, stringify as stringifyToml } from '@decimalturn/toml-patch'
import { describe, expect, test } from 'vitest'
import { proofs } from '../../clients/connect-proofs.ts'
import { backUp, planFile, restoreFiles, writePlans } from '../../src/service/connect/tool-files.ts'
import type { Connection } from '../../src/service/connect/tool.ts'
import { recogniseClient } from '../../src/service/connect/recognise-client.ts'
import { obstacles, tools } from '../../src/service/connect/tools/index.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { toolOf, writeToolFiles } from './write-tool-files.ts'

const connection: Connection = {
  routerUrl: 'https://localhost:6778/api/router/router_0123456789abcdef',
  key: 'mp_0123456789abcdefghijABCDEFGHIJab1234',
  caFile: "/home/it's me/tls/ca.pem",
  caBundleFile: "/home/it's me/tls/ca-bundle.pem",
  limits: { context: 200_000, output: 32_000 },
  platform: 'linux',
}

/** A user's own file in each format, with comments and things that an edit must not touch. */
const ownFiles: Readonly<Record<string, string>> = {
  '.json': '{\n  // mine\n  "theme": "dark",\n  "env": { "A": "1" }, // last\n}\n',
  '.toml': '# mine\nmodel = "gpt-5" # favourite\n\n[mcp_servers.x]\nargs = ["a"]\n',
  '.yaml': '# mine\nname: Own # here\nmodels:\n  - name: Other\n    model: x # keep\n',
  '.yml': '# mine\nmodel: gpt-5 # favourite\nset-env:\n  - A=1\n',
  '.env': '# mine\nexport A=1\n',
}

const modelsFile = '# mine\n- model_id: other # keep\n  model_name: x\n'

function ownFile(path: string): string {
  if (path.endsWith('extra-openai-models.yaml')) return modelsFile
  const format = path.endsWith('.env') ? '.env' : extname(path)
  const text = ownFiles[format]
  if (text === undefined) throw new Error(`no sample of ${path}`)
  return text
}

/** The file after the tool saved a setting of its own: JSON loses its comments. */
function withSetting(path: string, text: string): string {
  if (extname(path) === '.json') {
    return JSON.stringify({ ...Object(parseJson(text)), saved: { at: 1 } })
  }
  if (path.endsWith('extra-openai-models.yaml')) return `${text}- model_id: saved\n`
  if (path.endsWith('.env')) return `${text}SAVED=1\n`
  return extname(path) === '.toml' ? `${text}\n[saved]\nat = 1\n` : `${text}saved: 1\n`
}

function read(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.env')) return text
  if (extname(path) === '.json') return parseJson(text)
  return extname(path) === '.toml' ? parseToml(text) : parseYaml(text)
}

test('each id is a slug that is used once, and no tool is missing', () => {
  const ids = [...tools, ...obstacles].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(ids.length).toBeGreaterThanOrEqual(26)
})

test('Modelport’s own libraries are first, with the command that installs them from a checkout', () => {
  const { version } = JSON.parse(readFileSync('sdk/package.json', 'utf8')) as { version: string }
  const installed = tools.slice(0, 2).map((tool) => [tool.id, tool.snippets(connection)[0]?.text])
  expect(installed).toEqual([
    ['modelport-js', `npm pack /path/to/modelport/sdk\nnpm install ./modelport-sdk-${version}.tgz`],
    ['modelport-python', 'pip install /path/to/modelport/sdk-python'],
  ])
})

test('an entry says “run” or “loaded” exactly if something runs or loads it', () => {
  const toolsThat = (verified: string) =>
    new Set(tools.filter((tool) => tool.verified === verified).map(({ id }) => id))
  const proven = (isLoader: boolean) =>
    proofs.filter(({ run }) => (run.kind === 'loader') === isLoader).map(({ tool }) => tool)
  // test/connect/snippets.test.ts runs curl.
  expect(toolsThat('run')).toEqual(new Set(['curl', ...proven(false)]))
  expect(toolsThat('loaded')).toEqual(new Set(proven(true)))
})

describe.each(tools.map((tool) => [tool.id, tool] as const))('%s', (_id, tool) => {
  test.each(['linux', 'darwin', 'win32'] as const)('leads to the router on %s', (platform) => {
    const snippets = tool.snippets({ ...connection, platform })
    const text = snippets.map((snippet) => snippet.text).join('\n')
    expect(text).toMatch(
      /(localhost|host\.docker\.internal):6778|MODELPORT_ROUTER_ID|--router|\$env:/,
    )
    expect(text).not.toMatch(/127\.0\.0\.1|undefined|\[object/)
    for (const { title } of snippets) expect(title).not.toMatch(/\.$/)
  })

  test('keeps the key out of program text', () => {
    const programs = tool
      .snippets(connection)
      .filter(({ language }) => ['javascript', 'python'].includes(language))
    for (const { text } of programs) expect(text).not.toContain(connection.key)
  })
})

const writing = tools.filter(({ files }) => files)

/** A document with another type at each place that leads to a value. */
function wrongTypes(value: unknown): unknown[] {
  const others = ['text', 7, [], ['text'], {}]
  if (typeof value !== 'object' || value === null) return others
  const inner = Object.entries(value).flatMap(([name, part]) =>
    wrongTypes(part).map((wrong) =>
      Object.assign(Array.isArray(value) ? [] : {}, value, { [name]: wrong }),
    ),
  )
  return [...others, ...inner]
}

function textOf(path: string, value: unknown): string {
  if (path.endsWith('.env')) return String(value)
  if (extname(path) === '.toml') return stringifyToml(value)
  return extname(path) === '.json' ? JSON.stringify(value) : stringifyYaml(value)
}

describe.each(writing.map((tool) => [tool.id, tool] as const))('the files of %s', (_id, tool) => {
  const homeOf = (dir: string) => ({ dir, platform: 'linux', env: {} }) as const

  test('are changed or refused with values of every wrong type, and never fail otherwise', async () => {
    for (const file of tool.files?.(connection, homeOf(temporaryFolder())) ?? []) {
      mkdirSync(dirname(file.path), { recursive: true })
      writeFileSync(file.path, file.edit(null))
      const texts = wrongTypes(read(file.path)).flatMap((value) => {
        const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
        return isTable || extname(file.path) !== '.toml' ? [textOf(file.path, value)] : []
      })
      for (const text of texts) {
        writeFileSync(file.path, text)
        const { after, problem } = await planFile(file)
        expect([after, problem].filter((each) => each !== null)).toHaveLength(1)
      }
    }
  })

  test('keep everything of the user’s, and are restored byte for byte', async () => {
    const dir = temporaryFolder()
    const files = tool.files?.(connection, homeOf(dir)) ?? []
    for (const { path } of files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, ownFile(path))
    }
    const plans = await Promise.all(files.map(planFile))
    const written = await backUp(plans, { backupFolder: temporaryFolder(), earlier: [] })
    await writePlans(plans)
    for (const { path } of files) {
      const text = readFileSync(path, 'utf8')
      const kept = ownFile(path).match(/(#|\/\/) (mine|last|here|keep|favourite)/g) ?? []
      for (const comment of kept) expect(text).toContain(comment)
      expect(text).not.toBe(ownFile(path))
      // Reading it again shows that it is still in its format.
      expect(read(path)).toBeTruthy()
    }

    await restoreFiles(written)

    for (const { path } of files) expect(readFileSync(path, 'utf8')).toBe(ownFile(path))
  })

  test('are undone after the tool saved its own settings, which stay', async () => {
    const dir = temporaryFolder()
    const files = tool.files?.(connection, homeOf(dir)) ?? []
    for (const { path } of files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, ownFile(path))
    }
    const plans = await Promise.all(files.map(planFile))
    const written = await backUp(plans, { backupFolder: temporaryFolder(), earlier: [] })
    await writePlans(plans)
    for (const { path } of files) {
      writeFileSync(path, withSetting(path, readFileSync(path, 'utf8')))
    }

    await restoreFiles(written)

    for (const { path } of files) {
      const expected = `${dir}/expected-${basename(path)}`
      writeFileSync(expected, withSetting(path, ownFile(path)))
      expect(read(path)).toEqual(read(expected))
    }
  })

  test('are the same when they are written twice', async () => {
    const home = homeOf(temporaryFolder())
    const paths = await writeToolFiles(tool, connection, home)
    const once = paths.map((path) => readFileSync(path, 'utf8'))
    await writeToolFiles(tool, connection, home)
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(once)
  })
})

test('a file at another place that the tool reads is used instead', async () => {
  const dir = temporaryFolder()
  const other = `${dir}/.config/opencode/opencode.jsonc`
  mkdirSync(dirname(other), { recursive: true })
  writeFileSync(other, '{}')
  const home = { dir, platform: 'linux', env: {} } as const
  expect(await writeToolFiles(toolOf('opencode'), connection, home)).toEqual([other])
})

test.each([
  ['claude-cli/2.1.330 (external, cli)', 'Claude Code'],
  ['codex_exec/0.169.0 (Linux; x86_64) xterm (codex_exec; 0.169.0)', 'Codex CLI'],
  ['opencode/1.18.33 ai-sdk/provider-utils/4.0.1 runtime/bun/1.3.14', 'opencode'],
  ['GeminiCLI-tui/0.61.0/gemini-3.1-pro-preview (linux; x64; terminal)', 'Gemini CLI'],
  ['QwenCode/0.24.4 (linux; x64)', 'Qwen Code'],
  ['Kilo-Code/7.7.9 ai-sdk/provider-utils/4.0.27 runtime/bun/1.3.14', 'Kilo CLI'],
  ['OpenAI/JS 7.55.0', 'OpenAI SDK for JavaScript'],
  ['AsyncOpenAI/Python 2.54.0', 'OpenAI SDK for Python'],
  ['Anthropic/JS 1.12.0', 'Anthropic SDK for JavaScript'],
  ['Modelport/JS 7.55.0', '@modelport/sdk'],
  ['litellm/1.81.10', 'LiteLLM'],
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0', null],
  [null, null],
])('the client %j is %s', (userAgent, name) => {
  expect(recogniseClient(userAgent)).toBe(name)
})
