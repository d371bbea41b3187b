/**
 * The linter's configuration is code: a rule with a mistyped folder name never reports anything. So each rule is
 * tested with one violation in a separate tree, linted with the real configuration. Imports that ARCHITECTURE.md
 * allows must not be reported.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parts as rows } from '../../lint/import-table.ts'

const root = path.resolve(import.meta.dirname, '../..')

const parts = new Map(rows.map((row) => [row.name, row]))
const isFile = (name: string) => name.endsWith('.ts')
const folders = [...parts.keys()].filter((name) => !isFile(name))
const rootFiles = [...parts.keys()].filter(isFile)

const packages =
  'zod electron node:fs node:fs/promises undici fastify @fastify/cors better-sqlite3 pg ioredis keytar node-llama-cpp ajv ajv/dist/2020.js secure-json-parse @peculiar/x509 reflect-metadata uuid liquidjs yaml quickjs-emscripten-core @jitl/quickjs-singlefile-mjs-release-sync pino rotating-file-stream commander react'.split(
    ' ',
  )

function mayUse(from: string, name: string): boolean {
  return (parts.get(from)?.packages ?? []).some(
    (allowed) => name === allowed || name.startsWith(allowed === 'node:' ? allowed : `${allowed}/`),
  )
}

/** Only the files of lint/opening-files.ts may import these, which open connections. */
const opening = new Set(['undici', 'pg', 'ioredis'])

function mayImport(from: string, to: string): boolean {
  return parts.get(from)?.imports.includes(parts.get(to)?.path ?? '') ?? false
}

interface Plant {
  file: string
  code: string
}

/** `from` importing `to`, once beside its folder's files and once one folder deeper. */
function partPlants(from: string, to: string): Plant[] {
  return ['', 'deeper'].map((sub) => {
    const folder = path.posix.join(placeOf(from), sub)
    return importing(`${folder}/imports-${nameOf(to)}.ts`, [specifierOf(folder, to)])
  })
}

function packagePlant(from: string, name: string): Plant {
  return importing(`${placeOf(from)}/imports-package-${nameOf(name)}.ts`, [name])
}

/** A file at the service's root that imports everything. */
function rootPlant(name: string): Plant {
  const others = [...parts.keys()].filter((to) => to !== name)
  const specifiers = others.map((to) => specifierOf('src/service', to))
  return importing(placeOf(name), [...specifiers, ...packages])
}

function importing(file: string, specifiers: readonly string[]): Plant {
  const imports = specifiers.map(
    (specifier, n) => `import { part as part${n} } from '${specifier}'\n`,
  )
  const uses = specifiers.map((_, n) => `part${n}()\n`)
  return { file, code: [...imports, ...uses, 'export function part(): void {}\n'].join('') }
}

function specifierOf(folder: string, to: string): string {
  const target = isFile(to) ? placeOf(to) : `${placeOf(to)}/part.ts`
  const relative = path.posix.relative(folder, target)
  return relative.startsWith('.') ? relative : `./${relative}`
}

function placeOf(name: string): string {
  // The window's sources are one folder deeper.
  return name === 'renderer'
    ? 'src/renderer/src'
    : `src/${parts.get(name)?.path ?? ''}`.replace(/\/$/, '')
}

function nameOf(target: string): string {
  return target.replace(/[^a-z0-9]/g, '-')
}

const partPairs = folders.flatMap((from) =>
  [...parts.keys()]
    .filter((to) => to !== from)
    .map((to) => ({ from, to, isAllowed: mayImport(from, to) })),
)

// The renderer's row lists what it must not import, because its user-interface libraries grow over time.
const packagePairs = folders.flatMap((from) =>
  packages
    .filter(
      (name) =>
        from !== 'renderer' ||
        !/^(ajv(\/.*)?|secure-json-parse|reflect-metadata|uuid|liquidjs|yaml|react)$/.test(name),
    )
    .map((name) => ({ from, name, isAllowed: mayUse(from, name) && !opening.has(name) })),
)

const restricted = 'eslint(no-restricted-imports)'

/** Rule, where, and the code that breaks it. */
const violations: [rule: string, file: string, code: string][] = [
  [restricted, 'src/shared/upwards.ts', "import { part } from '../service/errors.ts'\npart()\n"],
  [restricted, 'src/service/routing/lazy.ts', "export const part = import('../storage/part.ts')\n"],
  [restricted, 'src/service/secrets/lazy.ts', "export const part = import('better-sqlite3')\n"],
  [restricted, 'src/service/routing/again.ts', "export { part } from '../http/part.ts'\n"],
  [restricted, 'src/service/storage/root.ts', "import { part } from '../service.ts'\npart()\n"],
  [restricted, 'src/service/providers/root.ts', "import { part } from '../errors.ts'\npart()\n"],
  [
    restricted,
    'src/service/families/sdk/values.ts',
    "import Anthropic from '@anthropic-ai/sdk'\nexport const client = new Anthropic()\n",
  ],
  [
    restricted,
    'src/service/families/azure/upstream/part.ts',
    "import { part } from '../../anthropic/upstream/part.ts'\npart()\n",
  ],
  [restricted, 'src/service/desktop.ts', "import { part } from '../main/window.ts'\npart()\n"],
  [restricted, 'src/service/providers/s.ts', "import { connect } from 'node:net'\nconnect(1)\n"],
  [restricted, 'src/service/alerts/g.ts', "import { get } from 'node:https'\nget('x')\n"],
  [restricted, 'src/service/telemetry/u.ts', "export const part = import('undici')\n"],
  [restricted, 'src/main/n.ts', "import { net } from 'electron'\nnet.fetch('x')\n"],
  [restricted, 'src/service/electron.ts', "import { app } from 'electron'\napp.quit()\n"],
  [restricted, 'src/service/sqlite.ts', "import { part } from 'better-sqlite3'\npart()\n"],
  [
    restricted,
    'src/main/raw.ts',
    "import { ipcMain } from 'electron'\nipcMain.on('x', Date.now)\n",
  ],
  [restricted, 'src/main/deep.ts', "import { part } from '../service/http/app.ts'\npart()\n"],
  [
    restricted,
    'src/main/window/deep.ts',
    "import { part } from '../../service/errors.ts'\npart()\n",
  ],
  [restricted, 'src/preload/entities.ts', "import { part } from '../shared/chat.ts'\npart()\n"],
  [restricted, 'sdk/src/wire.ts', "import { part } from '../../src/shared/chat.ts'\npart()\n"],
  [restricted, 'sdk/src/transport/up.ts', "import { part } from '../errors.ts'\npart()\n"],
  [restricted, 'sdk/src/files.ts', "import { statSync } from 'node:fs'\nstatSync('x')\n"],
  ['eslint(no-restricted-globals)', 'src/service/chat/direct.ts', "export const a = fetch('x')\n"],
  [
    'eslint(no-restricted-globals)',
    'src/service/direct.ts',
    "export const a = globalThis.fetch('x')\n",
  ],
  [
    'eslint(no-restricted-globals)',
    'src/service/routing/clock.ts',
    'export const a = new Date()\n',
  ],
  ['eslint(no-restricted-globals)', 'src/service/catalog/wait.ts', 'setTimeout(() => {}, 1)\n'],
  ['eslint(no-restricted-globals)', 'src/renderer/src/net.ts', "export const a = fetch('x')\n"],
  ['eslint(no-restricted-properties)', 'src/service/chat/now.ts', 'export const a = Date.now()\n'],
  ['eslint(no-restricted-properties)', 'src/service/http/r.ts', 'export const a = Math.random()\n'],
  ['eslint(no-restricted-properties)', 'src/service/r.ts', 'export const a = Math.random()\n'],
  ['eslint(no-console)', 'src/service/chat/print.ts', "console.log('x')\n"],
  ['eslint(no-warning-comments)', 'src/main/later.ts', '// TODO: later\nexport const a = 1\n'],
  ['eslint(id-denylist)', 'src/service/chat/name.ts', 'export const helper = 1\n'],
  [
    'eslint(max-params)',
    'src/main/many.ts',
    lines('export function f(a: 1, b: 1, c: 1, d: 1) {', 'return [a, b, c, d]', '}'),
  ],
  ['eslint(max-lines)', 'src/shared/long.ts', 'export {}\n'.repeat(401)],
  ['eslint(max-lines-per-function)', 'src/service/chat/tall.ts', tallFunction(61)],
  ['eslint(max-lines-per-function)', 'src/renderer/src/tall.tsx', tallFunction(121)],
  ['eslint(max-depth)', 'src/main/nested.ts', nestedIfs(4)],
  ['eslint(complexity)', 'src/main/branches.ts', manyBranches(17)],
  ['eslint(eqeqeq)', 'src/main/equal.ts', 'export const f = (a: number) => a == 1\n'],
  ['import(no-default-export)', 'src/shared/default.ts', 'export default 1\n'],
  [
    'import(no-cycle)',
    'src/shared/cycle-a.ts',
    "import { b } from './cycle-b.ts'\nexport const a = b\n",
  ],
  [
    'import(no-cycle)',
    'src/shared/type-cycle-a.ts',
    "import type { B } from './type-cycle-b.ts'\nexport type A = B | 1\n",
  ],
  ['unicorn(filename-case)', 'src/shared/camelCase.ts', 'export const a = 1\n'],
  ['typescript(no-explicit-any)', 'src/shared/any.ts', 'export const f = (a: any) => String(a)\n'],
  [
    'typescript(no-non-null-assertion)',
    'src/shared/non-null.ts',
    'export const f = (a?: 1) => a!\n',
  ],
  ['typescript(no-floating-promises)', 'src/service/chat/floating.ts', 'Promise.resolve()\n'],
  ['typescript(no-misused-promises)', 'src/main/misused.ts', '[1].forEach(async () => {})\n'],
  ['typescript(only-throw-error)', 'src/main/throw.ts', "throw 'text'\n"],
  [
    'typescript(no-unsafe-assignment)',
    'src/main/unsafe.ts',
    "export const a: string = JSON.parse('1')\n",
  ],
  [
    'typescript(no-unsafe-return)',
    'src/main/unsafe-return.ts',
    "export const f = () => JSON.parse('1')\n",
  ],
  [
    'typescript(no-unnecessary-condition)',
    'src/main/always.ts',
    'export const f = (a: object) => a ?? 1\n',
  ],
  ['typescript(switch-exhaustiveness-check)', 'src/main/union.ts', openSwitch()],
  ['typescript(await-thenable)', 'src/main/thenable.ts', 'export const f = async () => await 1\n'],
  [
    'vitest(no-disabled-tests)',
    'src/shared/skip.test.ts',
    testFile("test.skip('a', () => { expect(1).toBe(1) })"),
  ],
  [
    'vitest(no-focused-tests)',
    'src/shared/only.test.ts',
    testFile("test.only('a', () => { expect(1).toBe(1) })"),
  ],
  ['vitest(expect-expect)', 'src/shared/empty.test.ts', testFile("test('a', () => {})")],
]

function lines(...each: string[]): string {
  return `${each.join('\n')}\n`
}

function tallFunction(lineCount: number): string {
  const body = Array.from({ length: lineCount - 2 }, (_, index) => `  calls.push(${index})`)
  return lines('const calls: number[] = []', 'export function tall(): void {', ...body, '}')
}

function nestedIfs(depth: number): string {
  const open = Array.from({ length: depth }, (_, index) => `if (a > ${index}) {`).join(' ')
  return lines(
    'export function f(a: number) {',
    `${open} return a ${'}'.repeat(depth)}`,
    'return 0',
    '}',
  )
}

function manyBranches(count: number): string {
  const branches = Array.from(
    { length: count },
    (_, index) => `if (a === ${index}) return ${index}`,
  )
  return lines('export function f(a: number) {', ...branches, 'return 0', '}')
}

function openSwitch(): string {
  return lines(
    "export function f(a: 'x' | 'y') {",
    "switch (a) { case 'x': return 1 }",
    'return 0',
    '}',
  )
}

function testFile(code: string): string {
  return lines("import { expect, test } from 'vitest'", code)
}

/** Code close to a rule that must not be reported. */
const permitted: [what: string, file: string, code: string][] = [
  [
    'main imports service/service.ts',
    'src/main/start.ts',
    "import { part } from '../service/service.ts'\npart()\n",
  ],
  [
    'main/ipc.ts uses ipcMain',
    'src/main/ipc.ts',
    "import { ipcMain } from 'electron'\nipcMain.on('x', () => {})\n",
  ],
  [
    'main imports types of the service',
    'src/main/types.ts',
    "import type { A } from '../service/local/a.ts'\nexport type B = A\n",
  ],
  [
    'families import types of a vendor’s SDK',
    'src/service/families/sdk/types.ts',
    "import type { Message } from '@anthropic-ai/sdk/resources/messages'\nexport type A = Message\n",
  ],
  [
    'preload imports shared/ipc.ts',
    'src/preload/calls.ts',
    "import { part } from '../shared/ipc.ts'\npart()\n",
  ],
  [
    'http imports errors.ts',
    'src/service/http/error.ts',
    "import { part } from '../errors.ts'\npart()\n",
  ],
  [
    'a deeper file of http imports errors.ts',
    'src/service/http/routes/error.ts',
    "import { part } from '../../errors.ts'\npart()\n",
  ],
  [
    'the SDK’s transport imports Node and types of OpenAI’s SDK',
    'sdk/src/transport/files.ts',
    "import { statSync } from 'node:fs'\nimport type { OpenAI } from 'openai'\nexport type A = OpenAI\nstatSync('x')\n",
  ],
  ['a component may have 120 lines', 'src/renderer/src/component.tsx', tallFunction(120)],
  [
    'a test beside its source imports what it needs',
    'src/service/routing/near.test.ts',
    "import { part } from '../storage/part.ts'\npart()\n",
  ],
  ['a test may be long', 'src/shared/long.test.ts', tallFunction(100)],
  ['a configuration has a default export', 'some.config.ts', 'export default 1\n'],
  ['a script prints', 'scripts/print.mjs', "console.log('x')\n"],
]

/** The files that the permitted imports resolve to; an unresolved import would be reported for its type. */
const targets = ['src/shared/ipc.ts', 'src/service/http/app.ts', 'src/service/storage/part.ts'].map(
  (file) => ({ file, code: 'export function part(): void {}\n' }),
)

let tree = ''
let reports = new Map<string, string[]>()

beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'modelport-boundaries-'))
  const files = [
    'ARCHITECTURE.md',
    'oxlint.config.ts',
    ...(await readdir(root)).filter((name) => /^tsconfig.*\.json$/.test(name)),
  ]
  await Promise.all(files.map((name) => cp(path.join(root, name), path.join(tree, name))))
  await cp(path.join(root, 'lint'), path.join(tree, 'lint'), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  await plant([
    ...partPairs.flatMap(({ from, to }) => partPlants(from, to)),
    ...packagePairs.map(({ from, name }) => packagePlant(from, name)),
    ...rootFiles.map(rootPlant),
    ...violations.map(([, file, code]) => ({ file, code })),
    ...permitted.map(([, file, code]) => ({ file, code })),
    importing('src/service/new.ts', ['./storage/part.ts']),
    importing('src/service/new/part.ts', ['../errors.ts']),
    ...targets,
    { file: 'src/service/local/a.ts', code: 'export type A = 1\n' },
    {
      file: 'src/shared/cycle-b.ts',
      code: "import { a } from './cycle-a.ts'\nexport const b = a\n",
    },
    {
      file: 'src/shared/type-cycle-b.ts',
      code: "import type { A } from './type-cycle-a.ts'\nexport type B = A | 2\n",
    },
  ])
  reports = await lint()
})

afterAll(() => rm(tree, { recursive: true, force: true }))

async function plant(plants: Plant[]): Promise<void> {
  for (const { file, code } of plants) {
    const target = path.join(tree, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, code)
  }
}

/** The rules reported per file. */
async function lint(): Promise<Map<string, string[]>> {
  const oxlint = path.join(root, 'node_modules/.bin/oxlint')
  const options = { cwd: tree, maxBuffer: 64 * 1024 * 1024 }
  const run = promisify(execFile)(oxlint, ['--format', 'json'], options)
  // Exit code 1 means that there are findings, which this test expects.
  const { stdout } = await run.catch((failure: { stdout: string }) => failure)
  const found: { diagnostics: { filename: string; code: string }[] } = JSON.parse(stdout)
  const byFile = new Map<string, string[]>()
  for (const { filename, code } of found.diagnostics) {
    byFile.set(filename, [...(byFile.get(filename) ?? []), code])
  }
  return byFile
}

function rulesReported(file: string): string[] {
  return reports.get(file) ?? []
}

describe('the import rules', () => {
  test.each(partPairs)('$from imports $to: allowed $isAllowed', ({ from, to, isAllowed }) => {
    const reported = partPlants(from, to).map(({ file }) =>
      rulesReported(file).includes(restricted),
    )
    expect(reported).toEqual([!isAllowed, !isAllowed])
  })

  test.each(packagePairs)('$from uses $name: allowed $isAllowed', ({ from, name, isAllowed }) => {
    const reported = rulesReported(packagePlant(from, name).file).includes(restricted)
    expect(reported).toBe(!isAllowed)
  })

  test.each(rootFiles)('%s imports only what its row allows', (name) => {
    const others = [...parts.keys()].filter((to) => to !== name)
    const refused = [
      ...others.filter((to) => !mayImport(name, to)),
      ...packages.filter((each) => !mayUse(name, each)),
    ]
    const reported = rulesReported(placeOf(name)).filter((rule) => rule === restricted)
    // What opens connections is refused once more, by its own rule.
    expect(reported).toHaveLength(refused.length + opening.size)
  })

  test('a file without a row may import no other file', () => {
    expect(rulesReported('src/service/new.ts')).toContain(restricted)
    expect(rulesReported('src/service/new/part.ts')).toContain(restricted)
  })

  test('every file and folder of the service has a row', async () => {
    const names = (await readdir(path.join(root, 'src/service'))).filter(
      (name) => !name.endsWith('.test.ts'),
    )
    expect([...parts.keys()]).toEqual(expect.arrayContaining(names))
  })
})

describe('planted violations', () => {
  test.each(violations)('%s is reported in %s', (rule, file) => {
    expect(rulesReported(file)).toContain(rule)
  })
})

describe('permitted code', () => {
  test.each(permitted)('%s', (_what, file) => {
    expect(rulesReported(file)).toEqual([])
  })
})
