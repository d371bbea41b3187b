/** Connects tools: makes a key for each, shows and writes its files, and tells whether it works. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  connectInputSchema,
  placeholderKey,
  type ConnectInput,
  type ListedTool,
  type RestoredFiles,
  type SampleCalls,
  type ToolConnection,
  type WrittenFiles,
} from '../../shared/app/connect.ts'
import type { ApiKey, ApiKeyInput, Model } from '../../shared/entities.ts'
import {
  backUp,
  checkPlans,
  FileChanged,
  planFile,
  planRunFile,
  restoreFiles,
  showPlan,
  takeBack,
  writePlans,
  type FilePlan,
} from '../connect/tool-files.ts'
import { openToolRecords, type ToolRecords } from '../connect/tool-record.ts'
import { baseUrlOf, type Connection, type Home, type Tool } from '../connect/tool.ts'
import { limitsOf } from '../connect/token-limits.ts'
import { obstacles, tools } from '../connect/tools/index.ts'
import type { ApiKeys } from './api-keys.ts'
import type { ConnectActions, PreparedRun } from './connect-actions.ts'
import { endsOf, statusOf, unusedAfterMs } from './connection-status.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { parseInput } from './input.ts'

/** A connection whose files can still be written. */
interface OpenConnection {
  tool: Tool
  routerId: string
  plans: readonly FilePlan[]
  openedAtMs: number
  /** Stores the key, once. */
  activate(): Promise<void>
}

/** Tools whose snippets stand on a router's page. */
const sampledTools = [
  'modelport-js',
  'modelport-python',
  'curl',
  'openai-js',
  'openai-python',
] as const
const mostOpen = 20
/** Expiry of a run's key, for runs whose process was killed and could not revoke it. */
const runExpiryMs = 7 * 24 * 3_600_000

type ConnectKeys = Pick<ApiKeys, 'prepareApiKey' | 'revokeApiKey'> & Pick<Dashboard, 'models'>

interface Connecting {
  options: DashboardOptions
  keys: ConnectKeys
  home: Home
  records: ToolRecords
  /** Open connections, by the id of their key. */
  open: Map<string, OpenConnection>
}

export function createConnect(options: DashboardOptions, keys: ConnectKeys): ConnectActions {
  const { dataDir, home = ownHome(), problems } = options.connect
  const records = openToolRecords(dataDir)
  const connecting: Connecting = { options, keys, home, records, open: new Map() }
  return {
    tools: async () => withObstacles(await Promise.all(tools.map((each) => listed(each, records)))),
    connect: (input) => connectTool(parseInput(connectInputSchema, input), connecting),
    prepare: (input) => prepareTool(parseInput(connectInputSchema, input), connecting),
    activate: (id) => openConnection(connecting.open, id).activate(),
    samples: (routerId) => samplesOf(routerId, connecting),
    write: (id) => writeFiles(id, connecting),
    undo: (toolId) => undoFiles(toolId, connecting),
    status: (id) => statusOf(id, options, connecting.open.get(id)),
    problems: () => problems.list(),
    prepareRun: (input) => prepareRun(parseInput(connectInputSchema, input), connecting),
  }
}

async function prepareRun(
  { toolId, routerId }: ConnectInput,
  connecting: Connecting,
): Promise<PreparedRun> {
  const { name, program, documentation } = findTool(toolId)
  if (!program) {
    throw new DashboardError(
      'invalid',
      `${name} does not take its settings from the environment. Use: modelport connect ${toolId}`,
      'toolId',
    )
  }
  const file = await planRunFile(program, connecting.home)
  if (file?.problem) throw new DashboardError('invalid', file.problem)
  const { apiKey, connection, isRunning, store } = await prepareConnection(connecting, routerId, {
    name: `${name} (run)`,
    expiresAtMs: connecting.options.now() + runExpiryMs,
  })
  await store()
  const { command } = program
  const environment = program.environment(connection)
  const args = program.args?.(connection) ?? []
  const notes = isRunning ? [] : [notRunning]
  return { id: apiKey.id, command, args, environment, file, documentation, notes }
}

/** @throws DashboardError not_found */
async function prepareConnection(
  connecting: Connecting,
  routerId: string,
  rights: Pick<ApiKeyInput, 'name' | 'expiresAtMs' | 'acceptAnyModel'>,
): Promise<Pick<Prepared, 'apiKey' | 'connection' | 'isRunning' | 'store'>> {
  const { isRunning, ...place } = await placeOf(routerId, connecting)
  const input = { acceptAnyModel: true, ...rights, routers: [routerId] }
  const { key, apiKey, store } = connecting.keys.prepareApiKey(input)
  return { apiKey, connection: { ...place, key }, isRunning, store }
}

/** A connection without its key. @throws DashboardError not_found; invalid when the port is unknown */
async function placeOf(
  routerId: string,
  { options, keys, home }: Connecting,
): Promise<Omit<Connection, 'key'> & { isRunning: boolean }> {
  if (!options.configuration.current().routers.has(routerId)) {
    throw new DashboardError('not_found', `There is no router "${routerId}".`, 'routerId')
  }
  const { url, isRunning } = await addressOf(options)
  return {
    routerUrl: `${url}/api/router/${routerId}`,
    ...certificateFiles(options.connect.dataDir),
    limits: limitsOf(await modelsOf(routerId, { options, keys })),
    platform: home.platform,
    isRunning,
  }
}

async function samplesOf(routerId: string, connecting: Connecting): Promise<SampleCalls> {
  const { isRunning: _isRunning, ...place } = await placeOf(routerId, connecting)
  const connection = { ...place, key: placeholderKey }
  const sampled = sampledTools.map((toolId) => findTool(toolId))
  return {
    baseUrl: baseUrlOf('chat', connection),
    tools: sampled.map(({ id, name, snippets }) => ({ id, name, snippets: snippets(connection) })),
  }
}

async function connectTool(input: ConnectInput, connecting: Connecting): Promise<ToolConnection> {
  const connection = await prepareTool(input, connecting)
  await openConnection(connecting.open, connection.id).activate()
  return connection
}

async function prepareTool(
  { toolId, routerId }: ConnectInput,
  connecting: Connecting,
): Promise<ToolConnection> {
  const { home, open, options } = connecting
  const tool = findTool(toolId)
  const prepared = await prepareConnection(connecting, routerId, {
    name: tool.name,
    acceptAnyModel: tool.namesModels !== true,
  })
  const { apiKey, connection } = prepared
  const plans = await Promise.all((tool.files?.(connection, home) ?? []).map(planFile))
  let stored: Promise<void> | null = null
  remember(open, apiKey.id, {
    tool,
    routerId,
    plans,
    openedAtMs: options.now(),
    async activate() {
      stored ??= prepared
        .store()
        .then(() => replaceUnusedKeys({ tool, routerId, apiKey }, connecting))
      await stored
    },
  })
  return toConnection({ tool, routerId, plans, ...prepared })
}

async function writeFiles(
  id: string,
  { options, records, open }: Connecting,
): Promise<WrittenFiles> {
  const { tool, routerId, plans, activate } = openConnection(open, id)
  if (plans.length === 0) {
    throw new DashboardError('invalid', `${tool.name} has no file that Modelport can write.`)
  }
  const problem = plans.find((plan) => plan.problem !== null)
  if (problem) throw new DashboardError('invalid', `${problem.path}: ${problem.problem}`)
  await refusingChanges(() => checkPlans(plans))
  await activate()
  const record = await records.read(tool.id)
  const files = await backUp(plans, {
    backupFolder: records.backupFolder(tool.id),
    earlier: record.written?.files ?? [],
  })
  // The record is first: whatever happens next can be undone.
  const written = { connectionId: id, routerId, atMs: options.now(), files }
  await records.save(tool.id, { ...record, written })
  try {
    await refusingChanges(() => writePlans(plans))
  } catch (error) {
    await takeBack(plans)
    await records.save(tool.id, record)
    throw error
  }
  return { files: files.map(({ path, backup }) => ({ path, backup })) }
}

async function undoFiles(
  toolId: string,
  { options, keys, records }: Connecting,
): Promise<RestoredFiles> {
  const tool = findTool(toolId)
  const record = await records.read(toolId)
  const { written } = record
  if (written === null) {
    throw new DashboardError('not_found', `Modelport has written no file of ${tool.name}.`)
  }
  await refusingChanges(() => restoreFiles(written.files))
  await records.save(toolId, { ...record, written: null })
  const { connectionId } = written
  const isStored = options.configuration.current().apiKeys.has(connectionId)
  if (isStored) await keys.revokeApiKey(connectionId)
  return { files: written.files.map(({ path }) => path), connectionId }
}

/** @throws DashboardError when the port is not known yet */
async function addressOf({
  connect: { endpoint },
}: Pick<DashboardOptions, 'connect'>): Promise<{ url: string; isRunning: boolean }> {
  const { url, isRunning } = await endpoint.current()
  if (url !== null) return { url, isRunning }
  throw new DashboardError(
    'invalid',
    'The endpoint’s port is chosen at each start. Start Modelport first, or set a port: modelport settings set port 6778',
  )
}

async function modelsOf(
  routerId: string,
  { options, keys }: Pick<Connecting, 'options' | 'keys'>,
): Promise<Model[]> {
  const ids = options.configuration.current().routers.get(routerId)?.models ?? []
  return (await keys.models()).filter(({ id }) => ids.includes(id))
}

function ownHome(): Home {
  return { dir: homedir(), platform: process.platform, env: process.env }
}

function certificateFiles(dataDir: string): Pick<Connection, 'caFile' | 'caBundleFile'> {
  const folder = join(dataDir, 'tls')
  return { caFile: join(folder, 'ca.pem'), caBundleFile: join(folder, 'ca-bundle.pem') }
}

/** @throws DashboardError */
function findTool(toolId: string): Tool {
  const tool = tools.find(({ id }) => id === toolId)
  if (tool) return tool
  const obstacle = obstacles.find(({ id }) => id === toolId)
  if (obstacle) {
    const { name } = obstacle
    throw new DashboardError(
      'invalid',
      `${name} cannot be connected. ${obstacle.obstacle}`,
      'toolId',
    )
  }
  throw new DashboardError('not_found', `There is no tool "${toolId}".`, 'toolId')
}

async function listed(tool: Tool, records: ToolRecords): Promise<ListedTool> {
  const { id, name, kind, door, verified, documentation } = tool
  const { written } = await records.read(id)
  return {
    id,
    name,
    kind,
    door,
    verified,
    documentation,
    canConnect: true,
    writesFiles: tool.files !== undefined,
    canRun: tool.program !== undefined,
    written: written && { ...written, files: written.files.map(({ path }) => path) },
  }
}

function withObstacles(connectable: readonly ListedTool[]): ListedTool[] {
  return [...connectable, ...obstacles.map((each) => ({ ...each, canConnect: false as const }))]
}

/** Forgets the oldest connections, whose windows were closed long ago. */
function remember(open: Map<string, OpenConnection>, id: string, connection: OpenConnection): void {
  open.set(id, connection)
  for (const oldest of open.keys()) {
    if (open.size > mostOpen) open.delete(oldest)
  }
}

function openConnection(open: ReadonlyMap<string, OpenConnection>, id: string): OpenConnection {
  const connection = open.get(id)
  if (connection) return connection
  throw new DashboardError('not_found', 'This connection is closed. Connect the tool again.', 'id')
}

interface NewKey {
  tool: Tool
  routerId: string
  apiKey: ApiKey
}

/** Revokes the tool's earlier keys for this router that were never used and that no file contains. */
async function replaceUnusedKeys(
  { tool, routerId, apiKey }: NewKey,
  { options, keys, records }: Connecting,
): Promise<void> {
  const record = await records.read(tool.id)
  const stored = new Map((await options.store.read()).apiKeys.map((key) => [key.id, key]))
  const kept: typeof record.keys = []
  for (const made of record.keys) {
    const key = stored.get(made.id)
    if (!key || key.revokedAtMs !== null) continue
    const isInFile = made.id === record.written?.connectionId
    const isReplaced = made.routerId === routerId && !isInFile
    if (isReplaced && key.lastUsedAtMs === null && (await endsOf(key, options)) === null) {
      await keys.revokeApiKey(key.id)
    } else kept.push(made)
  }
  const unusedUntilMs = options.now() + unusedAfterMs
  const made = { id: apiKey.id, routerId, unusedUntilMs }
  await records.save(tool.id, { ...record, keys: [...kept, made] })
}

interface Prepared extends NewKey {
  connection: Connection
  plans: readonly FilePlan[]
  isRunning: boolean
  /** Makes the key work. */
  store(): Promise<void>
}

const notRunning = 'Modelport is not running now. Start the app, or run: modelport serve'

function toConnection({
  tool,
  routerId,
  apiKey,
  connection,
  plans,
  isRunning,
}: Omit<Prepared, 'store'>): ToolConnection {
  const { key, caFile, caBundleFile } = connection
  return {
    id: apiKey.id,
    toolId: tool.id,
    routerId,
    key,
    keyHint: apiKey.hint,
    baseUrl: baseUrlOf(tool.door, connection),
    caFile,
    caBundleFile,
    snippets: tool.snippets(connection),
    files: plans.map(showPlan),
    runCommand: tool.program ? `modelport run ${tool.id} --router ${routerId}` : null,
    notes: [...(tool.notes ?? []), ...(isRunning ? [] : [notRunning])],
  }
}

async function refusingChanges(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof FileChanged) throw new DashboardError('conflict', error.message)
    throw error
  }
}
