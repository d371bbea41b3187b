import type { Command } from 'commander'
import { formatUsd } from '../../shared/strings/format.ts'
import type {
  ConnectionProblem,
  ConnectionStatus,
  ListedTool,
  SeenRequest,
  ToolConnection,
} from '../../shared/app/connect.ts'
import type { Dashboard } from '../dashboard/dashboard.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { readWholeNumber } from './option-values.ts'
import type { Columns } from './output.ts'

interface ConnectOptions {
  router?: string
  print?: true
  write?: true
  undo?: true
  list?: true
  wait?: number
}

/** How long a person is expected to need for the tool's first request. */
const usualWaitSeconds = 120
const lookEveryMs = 500

export function registerConnect(program: Command, cli: Cli): void {
  program
    .command('connect [tool]')
    .description('connect a tool: create its key, show or write its configuration')
    .option('--list', 'list the tools')
    .option('--router <id>', 'the router it uses; may be left out if there is only one')
    .option('--print', 'print what to enter, and write nothing (the default)')
    .option('--write', 'show the difference of the tool’s files, keep copies, and write them')
    .option('--undo', 'restore the tool’s files, and revoke their key')
    .option(
      '--wait <seconds>',
      `wait for the tool’s first request (${usualWaitSeconds} at a terminal, else 0); Ctrl-C stops waiting`,
      readWholeNumber,
    )
    .action((tool: string | undefined, options: ConnectOptions) => connect(tool, options, cli))
}

async function connect(tool: string | undefined, options: ConnectOptions, cli: Cli): Promise<void> {
  const { print, write, undo, list } = options
  if ([print, write, undo].filter(Boolean).length > 1) {
    throw new UsageError('Use one of --print, --write and --undo.')
  }
  if (tool === undefined && (print || write || undo)) {
    throw new UsageError('Name the tool. To list them: modelport connect --list')
  }
  await cli.inWorkspace(async ({ dashboard }) => {
    if (list || tool === undefined)
      return cli.output.table(await dashboard.connect.tools(), columns)
    if (undo) return await undoFiles(tool, dashboard, cli)
    const routerId = options.router ?? (await onlyRouter(dashboard))
    const connection = await dashboard.connect.connect({ toolId: tool, routerId })
    if (write) await writeFiles(connection, dashboard, cli)
    else printConnection(connection, cli)
    const seconds = options.wait ?? (cli.isInteractive() ? usualWaitSeconds : 0)
    if (seconds > 0) await waitForRequest(connection.id, { dashboard, cli, seconds })
  })
}

/** @throws UsageError that lists the routers */
export async function onlyRouter(dashboard: Pick<Dashboard, 'routers'>): Promise<string> {
  const routers = await dashboard.routers()
  const [first] = routers
  if (first && routers.length === 1) return first.id
  if (!first) throw new CommandFailed('There is no router. Create one: modelport router create')
  const lines = routers.map(({ id, name }) => `  --router ${id}  ${name}`)
  throw new UsageError(`There are ${routers.length} routers. Choose one:\n${lines.join('\n')}`)
}

function printConnection(connection: ToolConnection, cli: Cli): void {
  const { baseUrl, key, snippets, runCommand, notes } = connection
  const blocks = snippets.map(({ title, text }) => `# ${title}\n${text}`)
  const head = `Base URL  ${baseUrl}\nAPI key   ${key}`
  cli.output.text(connection, [head, ...blocks].join('\n\n'))
  cli.output.note('')
  if (runCommand !== null) cli.output.note(`Start it without any of this: ${runCommand}`)
  for (const note of notes) cli.output.note(note)
  cli.output.note(
    'The key is shown only once; keep it out of version control. It is revoked if nothing uses it within an hour.',
  )
}

async function writeFiles(
  connection: ToolConnection,
  { connect: actions, revokeApiKey }: Pick<Dashboard, 'connect' | 'revokeApiKey'>,
  cli: Cli,
): Promise<void> {
  for (const { diff } of connection.files) cli.output.note(diff)
  try {
    const { files } = await actions.write(connection.id)
    const lines = files.map(({ path, backup }) =>
      backup === null ? `Created ${path}.` : `Changed ${path}. A copy is at ${backup}.`,
    )
    const undo = `Undo with: modelport connect ${connection.toolId} --undo`
    const { id, toolId, routerId } = connection
    cli.output.done({ id, toolId, routerId, files }, [...lines, undo].join('\n'))
  } catch (error) {
    // The key was never shown, so it can never be used.
    await revokeApiKey(connection.id)
    throw error
  }
  for (const note of connection.notes) cli.output.note(note)
}

async function undoFiles(
  tool: string,
  { connect: actions }: Pick<Dashboard, 'connect'>,
  { output }: Cli,
): Promise<void> {
  const restored = await actions.undo(tool)
  const lines = restored.files.map((path) => `Restored ${path}.`)
  output.done(restored, [...lines, 'Revoked the key that was in them.'].join('\n'))
}

interface Waiting {
  dashboard: Pick<Dashboard, 'connect'>
  cli: Cli
  seconds: number
}

/** @throws CommandFailed when none arrives in time, with everything that was refused meanwhile */
async function waitForRequest(
  connectionId: string,
  { dashboard, cli, seconds }: Waiting,
): Promise<void> {
  cli.output.note(`Waiting ${seconds} s for the first request. Ctrl-C stops waiting.`)
  const stopped = interrupted()
  const endMs = Date.now() + seconds * 1000
  let status: ConnectionStatus
  do {
    status = await dashboard.connect.status(connectionId)
    if (status.first) return cli.output.done(status, requestWords(status.first))
    if ((await Promise.race([stopped.signal, pause()])) === 'stopped') return
  } while (Date.now() < endMs)
  stopped.forget()
  if (status.problems.length > 0) throw new CommandFailed(problemLines(status.problems))
  throw new CommandFailed(
    `No request arrived within ${seconds} s, and nothing was refused: the tool did not reach Modelport. Check that Modelport runs, and that the tool was restarted after its configuration changed.`,
  )
}

function interrupted(): { signal: Promise<'stopped'>; forget(): void } {
  let stop = () => {}
  const signal = new Promise<'stopped'>((resolve) => {
    stop = () => resolve('stopped')
    process.once('SIGINT', stop)
  })
  return { signal, forget: () => void process.off('SIGINT', stop) }
}

function pause(): Promise<'waited'> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('waited'), lookEveryMs)
  })
}

function requestWords(request: SeenRequest): string {
  const { tool, client, status, errorCode, modelUsed, latencyMs, costUsd } = request
  const who = tool ?? client ?? 'A client'
  if (modelUsed === null || status >= 400) {
    return `${who} reached Modelport, but its request failed: ${status} ${errorCode ?? ''}. Docs: docs/troubleshooting.md`
  }
  return `${who} works: ${modelUsed} answered in ${Math.round(latencyMs)} ms for ${formatUsd(costUsd)}.`
}

function problemLines(problems: readonly ConnectionProblem[]): string {
  const lines = problems.map(({ count, message }) => `${count} × ${message}`)
  return ['No request with this key arrived. Modelport refused:', ...lines].join('\n')
}

const columns: Columns<ListedTool> = {
  TOOL: ({ id }) => id,
  NAME: ({ name }) => name,
  API: (tool) => (tool.canConnect ? doorNames[tool.door] : null),
  WRITES: (tool) => (tool.canConnect ? yesOrNo(tool.writesFiles) : null),
  RUN: (tool) => (tool.canConnect ? yesOrNo(tool.canRun) : null),
  TESTED: (tool) => (tool.canConnect ? proofs[tool.verified] : null),
  NOTE: (tool) =>
    tool.canConnect ? (tool.written ? 'written' : null) : `cannot connect: ${tool.obstacle}`,
}

const doorNames = {
  chat: 'Chat',
  responses: 'Responses',
  messages: 'Messages',
  gemini: 'Gemini',
  mcp: 'MCP',
} as const
const proofs = { run: 'run', loaded: 'loaded', unverified: 'no' } as const

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no'
}
