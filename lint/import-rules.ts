/**
 * The import rules: the table of ARCHITECTURE.md as rules of the linter. The table lists what is allowed, and
 * everything else is refused, so that a new file or folder may import nothing until it has a row.
 */

import { posix } from 'node:path'
import type { OxlintOverride } from 'oxlint'
import { parts as rows, type Part } from './import-table.ts'
import { openingFiles } from './opening-files.ts'

/** The window has rules of its own in oxlint.config.ts: its interface libraries change often. */
const parts = rows.filter(({ name }) => name !== 'renderer')

/** What `families` read of the vendors' SDKs. */
const typePackages: Readonly<Record<string, readonly string[]>> = {
  families: ['@anthropic-ai/sdk', '@google/genai', '@aws-sdk/client-bedrock-runtime', 'openai'],
}

/** Types that a part may use although it may not import from their file. */
const typesOnly: Readonly<Record<string, string>> = { 'main/': 'service/' }

/** Data that any part may read. */
const dataFiles = ['../resources/', '../package.json']

/** The maximum depth of folders within a part. */
const depths = [0, 1, 2]
const tests = ['**/*.test.ts', '**/describe-*.ts']

const ipcMain = {
  name: 'electron',
  importNames: ['ipcMain'],
  message: 'ipcMain is used in main/ipc.ts only: the sender is checked there.',
}

const asOpening =
  'Connections are opened by openConnection (shared/app/open-connection.ts), in the files of lint/opening-files.ts.'

/** Names of Node and of packages that open connections. */
const openers: readonly RestrictedPath[] = [
  { name: 'node:net', importNames: ['connect', 'createConnection', 'Socket'] },
  { name: 'node:tls', importNames: ['connect'] },
  { name: 'node:http', importNames: ['get', 'request', 'Agent'] },
  { name: 'node:https', importNames: ['get', 'request', 'Agent'] },
  ...['node:http2', 'node:dgram', 'node:dns', 'node:dns/promises', 'undici', 'pg', 'ioredis'].map(
    (name) => ({ name }),
  ),
  { name: 'electron', importNames: ['net', 'crashReporter'] },
].map((path) => ({ ...path, message: asOpening, allowTypeImports: true }))

/** The SDK is published on its own: it imports only its folder's files, OpenAI's SDK, and Node in `transport/`. */
const sdkPackages: readonly [folder: string, packages: readonly string[]][] = [
  ['sdk/src/*', ['openai', '#transport']],
  ['sdk/src/transport/*', ['openai', 'node:']],
]

interface RestrictedPath {
  name: string
  importNames?: string[]
  message: string
  allowTypeImports?: boolean
}

interface Pattern {
  /** Globs; the last match decides, as in .gitignore. */
  group?: string[]
  regex?: string
  message: string
  allowTypeImports?: boolean
}

/** What a family shares with others is in its folder itself. */
const insideOfAFamily: Pattern = {
  regex: String.raw`^\.\./(\.\./)?[a-z-]+/(endpoint|upstream)/`,
  message: 'No family imports from another’s endpoint/ or upstream/ (ARCHITECTURE.md).',
}

export const importRules: OxlintOverride[] = [
  {
    files: ['src/service/**'],
    excludeFiles: [...tests, ...parts.map((part) => filesOf(part))],
    rules: restrict([
      {
        group: ['*'],
        message: 'Give this file a row in ARCHITECTURE.md.',
      },
    ]),
  },
  ...parts.flatMap((part) =>
    depthsOf(part).map((depth) => ({
      files: [filesOf(part, depth)],
      excludeFiles: [...tests],
      rules: restrict(patternsOf(part, depth), [...openers, ...ipcOf(part)]),
    })),
  ),
  ...parts
    .filter(({ path }) => path === 'main/')
    .map((part) => ({ files: ['src/main/ipc.ts'], rules: restrict(patternsOf(part, 0), openers) })),
  ...openingFiles.map((file) => {
    const { part, depth } = placeOf(file)
    return { files: [file], rules: restrict(patternsOf(part, depth), ipcOf(part)) }
  }),
  ...sdkPackages.map(([folder, packages]) => ({
    files: [folder],
    rules: restrict([
      {
        group: ['*', '../**', ...['./**', ...packages.flatMap(packageGlobs)].map(except)],
        message: `${folder} may import only its own folder and ${packages.join(', ')} (ARCHITECTURE.md).`,
      },
    ]),
  })),
]

function ipcOf({ path }: Part): readonly RestrictedPath[] {
  return path === 'main/' ? [ipcMain] : []
}

function isFolder({ path }: Part): boolean {
  return path.endsWith('/')
}

function depthsOf(part: Part): readonly number[] {
  return isFolder(part) ? depths : [0]
}

/** The part that a file belongs to, and how many folders deep. */
function placeOf(file: string): { part: Part; depth: number } {
  const path = file.replace(/^src\//, '')
  const part = parts.find((each) => isFolder(each) && path.startsWith(each.path))
  if (part === undefined) throw new Error(`${file} is in no folder of ARCHITECTURE.md.`)
  const depth = path.slice(part.path.length).split('/').length - 1
  return { part, depth: Math.min(depth, depths.at(-1) ?? 0) }
}

/** @param depth  of nested folders; undefined for all of the part */
function filesOf(part: Part, depth?: number): string {
  if (!isFolder(part)) return `src/${part.path}`
  if (depth === undefined || depth === depths.at(-1))
    return `src/${part.path}${'*/'.repeat(depth ?? 0)}**`
  return `src/${part.path}${'*/'.repeat(depth)}*`
}

function restrict(
  patterns: Pattern[],
  paths: readonly RestrictedPath[] = [],
): NonNullable<OxlintOverride['rules']> {
  return { 'no-restricted-imports': ['error', { paths: [...paths], patterns }] }
}

function patternsOf(part: Part, depth: number): Pattern[] {
  const { name, path, imports, packages } = part
  const typesOf = typePackages[name] ?? []
  const folder = posix.join(posix.dirname(`${path}x`), 'x/'.repeat(depth))
  const leaving = isFolder(part) ? [`${'../'.repeat(depth + 1)}**`] : ['./**', '../**']
  const types = typesOnly[path]
  const allowed = [...dataFiles, ...imports, ...(types ? [types] : [])]
  const group = [
    '*',
    ...['./**', '../**', ...[...packages, ...typesOf].flatMap(packageGlobs)].map(except),
    ...leaving,
    ...allowed.map((target) => except(importGlob(folder, target))),
  ]
  const rights = [...imports, ...packages].join(', ')
  const message = `${path} may import only: ${rights || 'nothing'} (ARCHITECTURE.md).`
  // First, because no later pattern refuses what a group allows.
  return [
    ...(types ? [valuesPattern(part, types)] : []),
    ...typesOf.map((each) => packageValuesPattern(path, each)),
    ...(path === 'service/families/' ? [insideOfAFamily] : []),
    { group, message },
  ]
}

/** Refuses values from a package of which only types may be imported. */
function packageValuesPattern(path: string, name: string): Pattern {
  return {
    regex: `^${name}(/|$)`,
    message: `${path} may import only types from ${name} (ARCHITECTURE.md).`,
    allowTypeImports: true,
  }
}

/** Refuses values from files of which only types may be imported. */
function valuesPattern({ path, imports }: Part, types: string): Pattern {
  const refused = parts.filter(
    (each) => each.path.startsWith(types) && !imports.includes(each.path),
  )
  const names = refused.map((each) => {
    const name = each.path.slice(types.length).replace('.', String.raw`\.`)
    return isFolder(each) ? `${name}.+` : name
  })
  return {
    regex: String.raw`^(\.\./)+${types}(${names.join('|')})$`,
    message: `${path} may import only types from ${types} (ARCHITECTURE.md).`,
    allowTypeImports: true,
  }
}

/** How a file of `folder` imports `target`, both from `src/`. */
function importGlob(folder: string, target: string): string {
  const relative = posix.relative(folder, target)
  const specifier = relative.startsWith('.') ? relative : `./${relative}`
  return target.endsWith('/') ? `${specifier}/**` : specifier
}

function packageGlobs(name: string): string[] {
  return name === 'node:' ? ['node:*', 'node:*/**'] : [name, `${name}/**`]
}

function except(glob: string): string {
  return `!${glob}`
}
