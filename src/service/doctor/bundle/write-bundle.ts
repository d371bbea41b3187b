/**
 * What to send with a question: one text that its sender can read. It holds versions, settings, counts, states, the
 * findings of `doctor` and the end of the log; no key, prompt, answer, user name or address of the user's own.
 * Everything in it is chosen here by name, and the whole text is scrubbed once more as a second net.
 */
import { cpus, homedir, hostname, release, totalmem, userInfo } from 'node:os'
import packageFile from '../../../../package.json' with { type: 'json' }
import type { RequestRecord } from '../../../shared/entities.ts'
import { settings as descriptions, type Settings } from '../../../shared/app/settings.ts'
import { findProviderType, providerTypes } from '../../provider-types/provider-types.ts'
import type { StoredProvider } from '../../storage/storage.ts'
import type { Workspace, WorkspaceOptions } from '../../wiring/workspace.ts'
import type { Finding } from '../finding.ts'
import { readLogLines } from './log-lines.ts'
import { findOwnNames, findPrivateHosts, findPrivatePaths } from './private-names.ts'
import { createScrubber, replaceOtherPaths, replaceWord } from './scrub.ts'

const mostRequests = 1_000
const dayMs = 86_400_000
const mib = 1024 * 1024

export interface BundleOptions {
  dataDir: string
  workspace: Workspace
  findings: readonly Finding[]
  env: WorkspaceOptions['env']
  /** Names of the person and the computer, to be removed; those of this process by default. */
  names?: { home: string; userName: string; hostName: string } | undefined
}

export async function writeBundle(options: BundleOptions): Promise<string> {
  const { dataDir, workspace, findings, env } = options
  const { configuration, storage, now } = workspace
  const current = configuration.current()
  const providers = [...current.providers.values()]
  const nameOf = namesOf(providers)
  const rows = await storage.ledger.list({ limit: mostRequests })
  const names = options.names ?? ownNames()
  const scrub = createScrubber({
    dataDir,
    ...names,
    publicHosts: publicHosts(),
    privateHosts: findPrivateHosts(workspace, env).filter((host) => !typeNames.has(host)),
    privatePaths: findPrivatePaths(workspace, env),
  })
  const sections: [string, readonly string[]][] = [
    ['Program', programLines()],
    ['Settings', settingLines(current.settings)],
    ['Providers', providers.map((provider) => providerLine(provider, { workspace, nameOf }))],
    ['Counts', countLines(workspace)],
    [
      `Requests of the last 24 hours (of the newest ${mostRequests})`,
      requestLines(rows.filter(({ startedAtMs }) => startedAtMs > now() - dayMs)),
    ],
    ['Checks', findings.map((finding) => findingLine(finding, { workspace, nameOf, scrub }))],
    ['Log', await readLogLines(dataDir, nameOf)],
  ]
  const head = [
    `Modelport diagnostics, ${new Date(now()).toISOString()}`,
    'Read this before you send it. It has no key, prompt or answer, and no name or address of your own.',
  ]
  const body = sections.map(([title, lines]) =>
    [`== ${title}`, ...(lines.length === 0 ? ['none'] : lines)].join('\n'),
  )
  return `${scrub([...head, '', body.join('\n\n')].join('\n'))}\n`
}

/** Provider types, which may name a container: `ollama` identifies no person. */
const typeNames: ReadonlySet<string> = new Set(providerTypes.map(({ type }) => type))

function ownNames(): NonNullable<BundleOptions['names']> {
  return { home: homedir(), userName: userName(), hostName: hostname() }
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

function programLines(): string[] {
  const { node } = process.versions
  // Electron adds it; Node's types know no Electron in this folder.
  const electron: unknown = Reflect.get(process.versions, 'electron')
  const memory = Math.round(totalmem() / mib)
  return [
    `Modelport ${packageFile.version}, Node.js ${node}, Electron ${typeof electron === 'string' ? electron : 'none'}`,
    `${process.platform} ${process.arch}, kernel ${release()}`,
    `${cpus().length} processors, ${memory} MiB of memory`,
    `running for ${Math.round(process.uptime())} s`,
  ]
}

/** Settings whose values are fixed words and are shown; other texts and lists are only shown as set or not. */
const wordSettings: ReadonlySet<string> = new Set([
  'theme',
  'updates',
  'density',
  'locale',
  'durability',
  'localModelGpu',
])

function settingLines(values: Settings): string[] {
  return Object.entries(descriptions).map(([name, { default: usual }]) => {
    // The entries of the table are the settings.
    const value = values[name as keyof Settings]
    const isChanged = JSON.stringify(value) !== JSON.stringify(usual)
    return `${name}: ${shownSetting(name, value)}${isChanged ? ' (changed)' : ''}`
  })
}

function shownSetting(name: string, value: unknown): string {
  if (Array.isArray(value)) return `${value.length} entries`
  if (typeof value === 'string') return wordSettings.has(name) ? value : 'set'
  return value === null ? 'not set' : JSON.stringify(value)
}

/** Replaces ids of providers, because the user chooses them and they may name a company. */
function namesOf(providers: readonly StoredProvider[]): (id: string) => string {
  const names = new Map(providers.map(({ id, type }, index) => [id, `${index + 1} (${type})`]))
  return (id) => names.get(id) ?? '(removed)'
}

interface Naming {
  workspace: Workspace
  nameOf: (id: string) => string
}

function providerLine(provider: StoredProvider, { workspace, nameOf }: Naming): string {
  const { id, type, baseUrl } = provider
  const isPublic = baseUrl === null || publicHosts().has(new URL(baseUrl).hostname)
  const own = baseUrl ?? findProviderType(type)?.baseUrl ?? 'no address'
  const place = isPublic ? own : 'an address of your own'
  const health = workspace.upstreams.health(id)
  const problem = health.status === 'failing' ? ` (${health.problem})` : ''
  return `${nameOf(id)}: ${place}; ${health.status}${problem}`
}

/** Hosts of the vendors that Modelport knows. */
function publicHosts(): ReadonlySet<string> {
  return new Set(
    providerTypes
      .filter(({ isLocal, isSelfHosted }) => !isLocal && !isSelfHosted)
      .flatMap(({ baseUrl }) =>
        baseUrl !== null && URL.canParse(baseUrl) ? [new URL(baseUrl).hostname] : [],
      ),
  )
}

function countLines({ configuration, secrets, localModel }: Workspace): string[] {
  const { routers, apiKeys, agents, models } = configuration.current()
  const revoked = [...apiKeys.values()].filter(({ revokedAtMs }) => revokedAtMs !== null).length
  const strategies = counted([...routers.values()].map(({ strategy }) => strategy))
  const { backend, state } = secrets.state()
  return [
    `routers: ${routers.size}${strategies === '' ? '' : ` (${strategies})`}`,
    `API keys: ${apiKeys.size}, of which revoked: ${revoked}`,
    `agents: ${agents.size}, models with own figures: ${models.size}`,
    `key store: ${backend}, ${state}; local model: ${localModel.state().status}`,
  ]
}

function requestLines(rows: readonly RequestRecord[]): string[] {
  const outcomes = rows.map(({ status, errorCode }) => `${status} ${errorCode ?? ''}`.trim())
  const fallbacks = rows.filter(({ fallbackFrom }) => fallbackFrom !== null).length
  return [
    `outcomes: ${counted(outcomes) || 'none'}`,
    `answered by another model than the first choice: ${fallbacks}`,
  ]
}

/** `200 × 12, 503 × 1` */
function counted(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].map(([word, count]) => `${word} × ${count}`).join(', ')
}

function findingLine(
  { check, status, message }: Finding,
  { workspace, nameOf, scrub }: Naming & { scrub: (text: string) => string },
): string {
  const shown = check.replace(/^provider (\S+)$/, (_, id: string) => `provider ${nameOf(id)}`)
  // Those of answers name models, also such as a server of the user's own named.
  if (check === 'answers') return `${status} ${shown}: its message names models, and is left out`
  const words = [
    // In quotation marks: many words are also names.
    ...findOwnNames(workspace).map((name) => replaceWord(`"${name}"`, '(name)')),
    ...[...workspace.configuration.current().providers.keys()]
      .filter((id) => !typeNames.has(id))
      .map((id) => replaceWord(id, nameOf(id))),
    // First the folders that are known: their names can have spaces.
    scrub,
    replaceOtherPaths,
  ]
  return `${status} ${shown}: ${words.reduce((text, replace) => replace(text), message)}`
}
