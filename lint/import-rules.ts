/**
 * The import rules: the table of ARCHITECTURE.md as rules of the linter. It lists what is allowed and refuses
 * everything else, so that a new file or folder may import nothing until it has a row. test/rules/boundaries.test.ts
 * reads the page's table and tests every pair of it against these rules.
 */

import { posix } from 'node:path'
import type { OxlintOverride } from 'oxlint'

interface Part {
  /** From `src/`: a folder with a slash at its end, or a file. */
  path: string
  /** From `src/`, written the same way. */
  imports: readonly string[]
  /** Packages, with everything below their names; `node:` means all of Node. */
  packages: readonly string[]
  /** Packages of which only types may be imported. */
  typePackages?: readonly string[]
}

const service = (names: string) => names.split(' ').map((name) => `service/${name}`)
const anyPart = service(
  'agents/ alerts/ catalog/ chat/ connect/ dashboard/ window/ doctor/ data-folder/ http/ local/ provider-types/ providers/ routing/ secrets/ shared-state/ storage/ telemetry/ trust/ tuning/ upkeep/ upstreams/ wiring/ errors.ts ids.ts api-key-format.ts',
)

const parts: readonly Part[] = [
  { path: 'shared/', imports: [], packages: ['zod', 'intl-messageformat'] },
  { path: 'service/catalog/', imports: ['shared/'], packages: ['zod'] },
  { path: 'service/routing/', imports: ['shared/', 'service/catalog/'], packages: ['zod'] },
  {
    path: 'service/providers/',
    imports: ['shared/', 'service/batched-writes.ts', 'service/exact-json.ts'],
    packages: ['zod', 'node:', 'undici'],
  },
  {
    path: 'service/alerts/',
    imports: ['shared/', 'service/storage/'],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/local/',
    imports: ['shared/', 'service/providers/'],
    packages: ['zod', 'node:', 'undici', 'node-llama-cpp'],
  },
  {
    path: 'service/data-folder/',
    imports: ['shared/', ...service('catalog/ storage/')],
    packages: ['zod', 'node:', 'pino', 'rotating-file-stream'],
  },
  {
    path: 'service/secrets/',
    imports: ['shared/', 'service/data-folder/'],
    packages: ['zod', 'node:', 'keytar'],
  },
  {
    path: 'service/storage/',
    imports: ['shared/'],
    packages: ['zod', 'node:', 'better-sqlite3', 'pg'],
  },
  {
    path: 'service/shared-state/',
    imports: ['shared/', 'service/storage/'],
    packages: ['zod', 'node:', 'ioredis'],
  },
  { path: 'service/telemetry/', imports: ['shared/'], packages: ['node:', 'undici'] },
  {
    path: 'service/chat/',
    imports: [
      'shared/',
      ...service(
        'errors.ts api-key-format.ts exact-json.ts json-fields.ts catalog/ routing/ providers/ storage/',
      ),
    ],
    packages: ['zod', 'node:', 'ajv', 'uuid'],
  },
  {
    path: 'service/agents/',
    imports: ['shared/', ...service('errors.ts catalog/ routing/ providers/ storage/ chat/')],
    packages: ['zod', 'node:', 'uuid', 'liquidjs', 'yaml'],
  },
  {
    path: 'service/tuning/',
    imports: [
      'shared/',
      ...service('errors.ts catalog/ routing/ providers/ storage/ chat/ dashboard/'),
    ],
    packages: [
      'zod',
      'node:',
      'ajv',
      'yaml',
      'quickjs-emscripten-core',
      '@jitl/quickjs-singlefile-mjs-release-sync',
    ],
  },
  {
    path: 'service/families/',
    imports: ['shared/', ...service('errors.ts exact-json.ts json-fields.ts providers/ chat/')],
    packages:
      'zod node: @aws-sdk/credential-provider-ini @aws-sdk/credential-provider-node @smithy/core @smithy/signature-v4'.split(
        ' ',
      ),
    typePackages: [
      '@anthropic-ai/sdk',
      '@google/genai',
      '@aws-sdk/client-bedrock-runtime',
      'openai',
    ],
  },
  {
    path: 'service/provider-types/',
    imports: ['shared/', ...service('providers/ families/')],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/http/',
    imports: [
      'shared/',
      ...service(
        'errors.ts api-key-format.ts batched-writes.ts exact-json.ts data-folder/ chat/ families/ agents/ storage/',
      ),
    ],
    packages: 'zod node: fastify ajv secure-json-parse @peculiar/x509 reflect-metadata uuid'.split(
      ' ',
    ),
  },
  {
    path: 'service/connect/',
    imports: ['shared/', 'service/data-folder/'],
    packages: ['zod', 'node:', 'diff', 'jsonc-parser', '@decimalturn/toml-patch', 'yaml'],
  },
  {
    path: 'service/trust/',
    imports: ['shared/', ...service('connect/ data-folder/')],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/dashboard/',
    imports: [
      'shared/',
      ...service(
        'errors.ts api-key-format.ts agents/ catalog/ connect/ provider-types/ providers/ secrets/ storage/ upstreams/',
      ),
    ],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/upstreams/',
    imports: [
      'shared/',
      ...service(
        'catalog/ chat/ data-folder/ local/ provider-types/ providers/ routing/ secrets/ storage/',
      ),
    ],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/upkeep/',
    imports: ['shared/', ...service('dashboard/ data-folder/ storage/ wiring/')],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/window/',
    imports: ['shared/', ...service('errors.ts agents/ chat/ dashboard/ storage/ wiring/')],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/doctor/',
    imports: [
      'shared/',
      ...service(
        'api-key-format.ts data-folder/ http/ provider-types/ providers/ secrets/ shared-state/ storage/ trust/ upkeep/ wiring/',
      ),
    ],
    packages: ['zod', 'node:'],
  },
  {
    path: 'service/cli/',
    imports: [
      'shared/',
      ...service(
        'service.ts errors.ts dashboard/ doctor/ data-folder/ http/sockets/trusted-proxies.ts secrets/ shared-state/ storage/ telemetry/ trust/ tuning/ wiring/',
      ),
    ],
    packages: ['zod', 'node:', 'commander'],
  },
  {
    path: 'service/wiring/',
    imports: [
      'shared/',
      ...anyPart.filter((path) => !/window|doctor|trust|api-key|upkeep|wiring/.test(path)),
    ],
    packages: ['zod', 'node:'],
  },
  { path: 'service/errors.ts', imports: [], packages: [] },
  { path: 'service/batched-writes.ts', imports: [], packages: [] },
  { path: 'service/exact-json.ts', imports: [], packages: [] },
  { path: 'service/json-fields.ts', imports: ['shared/', 'service/exact-json.ts'], packages: [] },
  { path: 'service/ids.ts', imports: [], packages: ['node:', 'uuid'] },
  { path: 'service/api-key-format.ts', imports: [], packages: ['node:'] },
  { path: 'service/service.ts', imports: ['shared/', ...anyPart], packages: ['node:'] },
  { path: 'service/headless.ts', imports: ['service/cli/'], packages: ['node:'] },
  {
    path: 'main/',
    imports: ['shared/', 'service/service.ts', 'service/cli/'],
    packages: ['zod', 'node:', 'electron', 'electron-updater', 'yaml'],
  },
  { path: 'preload/', imports: ['shared/ipc.ts'], packages: ['electron'] },
]

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

/** The SDK is published on its own: it imports only its folder's files, OpenAI's SDK, and Node in `transport/`. */
const sdkPackages: readonly [folder: string, packages: readonly string[]][] = [
  ['sdk/src/*', ['openai', '#transport']],
  ['sdk/src/transport/*', ['openai', 'node:']],
]

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
        message: 'Give this file a row in ARCHITECTURE.md and lint/import-rules.ts.',
      },
    ]),
  },
  ...parts.flatMap((part) =>
    depthsOf(part).map((depth) => ({
      files: [filesOf(part, depth)],
      excludeFiles: [...tests],
      rules: restrict(patternsOf(part, depth), part.path === 'main/' ? [ipcMain] : []),
    })),
  ),
  ...parts
    .filter(({ path }) => path === 'main/')
    .map((part) => ({ files: ['src/main/ipc.ts'], rules: restrict(patternsOf(part, 0)) })),
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

function isFolder({ path }: Part): boolean {
  return path.endsWith('/')
}

function depthsOf(part: Part): readonly number[] {
  return isFolder(part) ? depths : [0]
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
  paths: (typeof ipcMain)[] = [],
): NonNullable<OxlintOverride['rules']> {
  return { 'no-restricted-imports': ['error', { paths, patterns }] }
}

function patternsOf(part: Part, depth: number): Pattern[] {
  const { path, imports, packages, typePackages = [] } = part
  const folder = posix.join(posix.dirname(`${path}x`), 'x/'.repeat(depth))
  const leaving = isFolder(part) ? [`${'../'.repeat(depth + 1)}**`] : ['./**', '../**']
  const types = typesOnly[path]
  const allowed = [...dataFiles, ...imports, ...(types ? [types] : [])]
  const group = [
    '*',
    ...['./**', '../**', ...[...packages, ...typePackages].flatMap(packageGlobs)].map(except),
    ...leaving,
    ...allowed.map((target) => except(importGlob(folder, target))),
  ]
  const rights = [...imports, ...packages].join(', ')
  const message = `${path} may import only: ${rights || 'nothing'} (ARCHITECTURE.md).`
  // First, because no later pattern refuses what a group allows.
  return [
    ...(types ? [valuesPattern(part, types)] : []),
    ...typePackages.map((name) => packageValuesPattern(path, name)),
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
