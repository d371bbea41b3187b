/** Nothing leaves unasked: the source opens connections of the table only, and only by `openConnection`. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  connectionEntries,
  connections,
  type ConnectionId,
} from '../../src/shared/app/connections.ts'
import { ConnectionRefused, openConnection } from '../../src/shared/app/open-connection.ts'
import { catalogSources } from '../../src/service/dashboard/catalog-download.ts'
import { findHub } from '../../src/service/local/library/hub.ts'
import { usualPlaces } from '../../src/service/providers/local-servers.ts'
import { privacyPage } from '../../scripts/privacy-page.ts'
import { openingFiles } from '../../lint/opening-files.ts'
import { findOpenings } from './find-openings.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sources = globSync('{src/{service,main,preload,shared}/**/*.ts,bin/*.mjs}', { cwd: root })
  .filter((file) => !/\.test\.ts$|\.d\.ts$|\/describe-/.test(file))
  .toSorted()
const openings = sources.flatMap((file) =>
  findOpenings(file, read(file)).map((opening) => ({ file, ...opening })),
)

/** Clients that get their sockets from a connector of ours, which goes through `openConnection`. */
const byConnector: Readonly<Record<string, readonly string[]>> = {
  // `connect` of both is the connector of Outbound.
  'src/service/local/outbound-fetch.ts': ['undici.Agent'],
  // Only builds the client; its `connect` is within.
  'src/service/providers/outbound.ts': ['undici.Client'],
  // `stream` is `socketFor`.
  'src/service/storage/postgres/connections.ts': ['pg.Pool', 'pg.Client'],
  'src/service/storage/postgres/configuration-channel.ts': ['pg.Client'],
  // Its session answers only for one document, and scripts do not run: e2e/code-preview.spec.ts.
  'src/main/code-preview.ts': ['electron.WebContentsView'],
  // Development builds only: the server of the page’s own files.
  'src/main/protocol.ts': ['electron.net'],
}

test('every opening in the source is made by openConnection', () => {
  const outside = openings.filter(({ id }) => id === null)
  const known = outside.filter(({ file, what }) => byConnector[file]?.includes(what))

  expect(outside.filter((one) => !known.includes(one))).toEqual([])
  expect(new Set(known.map(({ file }) => file))).toEqual(new Set(Object.keys(byConnector)))
})

test('the linter lets only these files import what opens connections', () => {
  // Of pg, it takes how values are read.
  const others = ['src/service/storage/postgres/value-types.ts']
  const opening = new Set(openings.map(({ file }) => file))

  const byImport =
    /from '(node:(net|tls|https?|dgram|dns)|undici|pg|ioredis|electron)'|import\('undici'\)/
  const importing = [...opening].filter((file) => byImport.test(read(file)))
  expect(openingFiles.filter((file) => !others.includes(file))).toEqual(importing)
})

test('every id of the source is in the table, and the table has no other', () => {
  const text = sources.map(read).join('\n')
  const named = openings.flatMap(({ id }) => (id === null || id === 'id' ? [] : [id]))

  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((id) => !Object.hasOwn(connections, id))).toEqual([])
  const forms = (id: string) => [`openConnection('${id}'`, `, '${id}'`, `id: '${id}'`]
  const unused = connectionEntries
    .map(([id]) => id)
    .filter((id) => !forms(id).some((form) => text.includes(form)))
  expect(unused).toEqual(['localProviders'])
  expect(read('src/service/providers/outbound.ts')).toContain("? 'localProviders' : server.id")
})

test.each([
  ["import { connect } from 'node:net'\nconnect(443, 'example.com')", 'net.connect'],
  ["import * as net from 'node:net'\nnet.createConnection(1)", 'net.createConnection'],
  ["import tls from 'node:tls'\ntls.connect(1)", 'tls.connect'],
  ["import { get as ask } from 'node:https'\nask('https://example.com')", 'https.get'],
  ["import dns from 'node:dns'\ndns.resolve4('example.com', () => {})", 'dns.resolve4'],
  [
    "const undici = await import('undici')\nundici.request('https://example.com')",
    'undici.request',
  ],
  ["const { Redis } = await import('ioredis')\nnew Redis()", 'ioredis.Redis'],
  ["import { net } from 'electron'\nnet.fetch('https://example.com')", 'electron.net'],
  ["import { crashReporter } from 'electron'\ncrashReporter.start({})", 'electron.crashReporter'],
  ['updater.checkForUpdates()', 'updater.checkForUpdates'],
  ["globalThis.fetch('https://example.com')", 'fetch'],
  ["new WebSocket('wss://example.com')", 'WebSocket'],
])('the search finds %j', (source, what) => {
  expect(findOpenings('x.ts', source).map((one) => [one.what, one.id])).toEqual([[what, null]])
  const [first = '', last = ''] = source.includes('\n') ? source.split('\n') : ['', source]
  const wrapped = `${first}\nopenConnection('catalog', use, () => ${last})`
  expect(findOpenings('x.ts', wrapped).map(({ id }) => id)).toEqual(['catalog'])
})

test('other programs are started where it is listed, and only those of the user use the network', () => {
  const starters = sources.filter((file) => /from 'node:child_process'/.test(read(file)))
  expect(starters).toEqual([
    'bin/modelport.mjs',
    // The desktop's tray: `gdbus` or `busctl`.
    'src/main/tray/tray-host.ts',
    'src/main/updates/restart.ts',
    // The command that the user names.
    'src/service/cli/run.ts',
    'src/service/local/fork-child-process.ts',
    // The user's shell, for its PATH.
    'src/service/mcp/find-command.ts',
    // The user's MCP servers.
    'src/service/mcp/server-process.ts',
    'src/service/secrets/wrapping-key.ts',
    'src/service/trust/trust.ts',
  ])
})

test('a connection that is not in the table is not opened', () => {
  const open = vi.fn<() => void>()
  // A caller outside of the types.
  const foreign = 'usageStatistics' as ConnectionId

  expect(() => openConnection(foreign, null, open)).toThrow(ConnectionRefused)
  expect(() => openConnection('toString' as ConnectionId, null, open)).toThrow('not in the list')
  expect(open).not.toHaveBeenCalled()
})

test('a connection that is switched off is not opened, and not counted', () => {
  const open = vi.fn<() => string>(() => 'open')
  const opens = vi.fn<(id: ConnectionId) => void>()
  const use = { isOff: (id: ConnectionId) => id === 'catalog', opens }

  expect(() => openConnection('catalog', use, open)).toThrow(
    '“Prices and facts of models” is switched off',
  )
  expect(open).not.toHaveBeenCalled()
  expect(openConnection('updates', use, open)).toBe('open')
  expect(opens.mock.calls).toEqual([['updates']])
})

test('the fixed addresses of the table are those of the program', () => {
  const hostsOf = (id: ConnectionId): readonly string[] => connections[id].hosts
  expect(hostsOf('catalog').toSorted()).toEqual(
    Object.values(catalogSources)
      .map((url) => new URL(url).host)
      .toSorted(),
  )
  expect(hostsOf('localServers')).toEqual(usualPlaces.map(({ port }) => `127.0.0.1:${port}`))
  const { address, isAllowed } = findHub({})
  expect(hostsOf('modelDownloads')).toContain(address.host)
  for (const host of hostsOf('modelDownloads')) {
    expect(isAllowed(new URL(`https://${host.replace('*', 'cdn-lfs')}`))).toBe(true)
  }
  expect(isAllowed(new URL('https://example.com'))).toBe(false)
})

test('docs/privacy.md is made from the table (node scripts/privacy-page.ts)', () => {
  expect(read('docs/privacy.md')).toBe(privacyPage())
})
