/**
 * The user's MCP servers. Two places decide what may happen: `#target` is the only one that says what to start or to
 * connect to, and needs a stored consent for exactly that; `callTool` is the only one that calls, and needs the seal that
 * the user looked at. docs/decisions/2026-11-29-mcp-host.md
 */
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import type {
  EnteredServer,
  ListedServer,
  ListedTool,
  ServerConfig,
  ToolDefinition,
  ToolMarks,
  ToolPermission,
} from '../../shared/chat/tools.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { McpStore, StoredServer, StoredTool } from '../storage/mcp-store.ts'
import type { CallOutcome, ConnectOptions, Connection, FinishSignIn, Target } from './connection.ts'
import { identityOf, openConsents, type Consents } from './consents.ts'
import { findCommand, loginShellPath, serverEnvironment } from './find-command.ts'
import type { CreateFetch } from './limited-fetch.ts'
import { readPasted } from './read-pasted.ts'
import { RunningServer } from './running-server.ts'
import { openServerSecrets, secretValuesSchema, type ServerSecrets } from './server-secrets.ts'
import { mergeTools } from './merge-tools.ts'
import { SignInMissing } from './sign-in-errors.ts'

export interface McpServersOptions {
  dataDir: string
  store: McpStore
  secrets: SecretStore
  env: Readonly<Record<string, string | undefined>>
  version: string
  createFetch: CreateFetch
  connect: (target: Target, options: ConnectOptions, finish?: FinishSignIn) => Promise<Connection>
  now: () => number
  onChanged: () => void
  idleMs?: number | undefined
}

/** A tool that the user looked at, of a server that may start. */
export interface UsableTool {
  serverId: string
  server: string
  definition: ToolDefinition
  seal: string
  permission: ToolPermission
  marks: ToolMarks
}

export class McpServers {
  readonly #options: McpServersOptions
  readonly #consents: Consents
  readonly #running = new Map<string, RunningServer>()
  readonly #problems = new Map<string, { state: 'failed' | 'sign_in'; words: string } | null>()
  #path: Promise<string> | null = null
  /** Changes of stored tools wait for each other: one that began before a new list must not undo it. */
  #changes: Promise<unknown> = Promise.resolve()

  private constructor(options: McpServersOptions, consents: Consents) {
    this.#options = options
    this.#consents = consents
  }

  static async open(options: McpServersOptions): Promise<McpServers> {
    await options.store.endInterrupted()
    return new McpServers(options, await openConsents(options.dataDir))
  }

  /** In the order in which they were added. */
  async list(): Promise<ListedServer[]> {
    const servers = await this.#options.store.servers()
    return Promise.all(servers.map((server) => this.#listed(server)))
  }

  /** Servers in pasted JSON; none is added. @throws DashboardError invalid */
  read(text: string): EnteredServer[] {
    return readPasted(text)
  }

  /** Stores a server and starts nothing. @throws DashboardError conflict when there is one with the name */
  async add({ name, config, secrets }: EnteredServer): Promise<ListedServer> {
    const { store, now, onChanged } = this.#options
    const others = await store.servers()
    if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
      throw new DashboardError('conflict', `There is a server with the name “${name}”.`, 'name')
    }
    const id = `mcp-${randomBytes(8).toString('hex')}`
    const server: StoredServer = { id, name, config, isOn: true, addedAtMs: now() }
    if (config.secretNames.length > 0) await this.#secretsOf(server).write('values', secrets)
    await store.saveServer(server)
    onChanged()
    return await this.#listed(server)
  }

  /** @throws DashboardError not_found */
  async setOn(id: string, isOn: boolean): Promise<void> {
    const { store, onChanged } = this.#options
    await store.saveServer({ ...(await this.#server(id)), isOn })
    if (!isOn) await this.#running.get(id)?.close()
    onChanged()
  }

  /** Stops a server and forgets it with its consent and its secrets. */
  async remove(id: string): Promise<void> {
    const { store, onChanged } = this.#options
    const server = await this.#server(id)
    await this.#consents.withdraw(id)
    await this.#running.get(id)?.close()
    this.#running.delete(id)
    this.#problems.delete(id)
    await this.#secretsOf(server).removeAll()
    await store.removeServer(id)
    onChanged()
  }

  /**
   * Stores the consent to what the window showed, and starts the server to read its tools.
   * @throws DashboardError conflict when it is no longer what the window showed
   */
  async consent(id: string, identity: string): Promise<ListedServer> {
    const server = await this.#server(id)
    const resolved = await this.#resolve(server.config)
    if (resolved === null || identityOf(id, server.config, resolved) !== identity) {
      throw new DashboardError('conflict', 'What would start has changed. Look at it again.')
    }
    await this.#consents.give(id, identity)
    return await this.refresh(id)
  }

  /** Starts the server if needed and reads its tools again. A failure is in its `problem`. */
  async refresh(id: string, finish?: FinishSignIn): Promise<ListedServer> {
    const server = await this.#server(id)
    await this.#runningOf(server, finish)
      .refresh()
      .catch((error: unknown) => this.#noteFailure(id, error))
    return await this.#listed(server)
  }

  /** Approves tools as the window showed them. @throws DashboardError conflict when one has changed since */
  async approve(id: string, seals: Readonly<Record<string, string>>): Promise<void> {
    await this.#changeTools(id, (tool) => {
      const seen = seals[tool.definition.name]
      if (seen === undefined) return tool
      if (seen !== tool.seal)
        throw new DashboardError('conflict', 'The tool has changed. Look at it again.')
      // What was allowed was the tool before the change.
      const permission =
        tool.approvedSeal === seen || tool.permission === 'deny' ? tool.permission : 'ask'
      return { ...tool, approvedSeal: seen, permission }
    })
  }

  /** @throws DashboardError not_found */
  async setTool(
    id: string,
    name: string,
    changes: { permission?: ToolPermission | undefined; marks?: ToolMarks | undefined },
  ): Promise<void> {
    await this.#changeTools(id, (tool) => {
      if (tool.definition.name !== name) return tool
      const { permission = tool.permission, marks = tool.marks } = changes
      return { ...tool, permission, marks }
    })
  }

  /** The tools that a conversation can offer to models. */
  async usableTools(): Promise<UsableTool[]> {
    const servers = await this.#options.store.servers()
    const lists = await Promise.all(servers.map((server) => this.#usableOf(server)))
    return lists.flat()
  }

  /** The tool as it is now; null when it may not be called. */
  async usableTool(serverId: string, name: string): Promise<UsableTool | null> {
    const server = (await this.#options.store.servers()).find(({ id }) => id === serverId)
    const tools = server ? await this.#usableOf(server) : []
    return tools.find(({ definition }) => definition.name === name) ?? null
  }

  /**
   * Calls a tool once. It is refused when the server says something else about it than what the user looked at.
   * Never rejects.
   */
  async callTool(
    tool: UsableTool,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const { serverId, seal, definition } = tool
    try {
      const server = await this.#server(serverId)
      return await this.#runningOf(server).use(async (connection) => {
        const current = await this.usableTool(serverId, definition.name)
        if (current?.seal !== seal) {
          return {
            outcome: 'failed',
            text: 'The tool has changed, so it is off until the user has looked at it.',
          }
        }
        return await connection.callTool(definition.name, args, signal)
      })
    } catch (error) {
      this.#noteFailure(serverId, error)
      return { outcome: 'failed', text: wordsOf(error) }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((running) => running.close()))
  }

  async #usableOf(server: StoredServer): Promise<UsableTool[]> {
    if (!server.isOn || !(await this.#hasConsent(server))) return []
    const tools = await this.#options.store.tools(server.id)
    return tools
      .filter(
        ({ seal, approvedSeal, permission }) => seal === approvedSeal && permission !== 'deny',
      )
      .map(({ definition, seal, permission, marks }) => {
        return { serverId: server.id, server: server.name, definition, seal, permission, marks }
      })
  }

  async #changeTools(id: string, change: (tool: StoredTool) => StoredTool): Promise<void> {
    await this.#server(id)
    await this.#replaceTools(id, (tools) => tools.map(change))
    this.#options.onChanged()
  }

  #replaceTools(
    id: string,
    change: (tools: readonly StoredTool[]) => readonly StoredTool[],
  ): Promise<void> {
    const { store } = this.#options
    const replaced = this.#changes.then(async () =>
      store.saveTools(id, change(await store.tools(id))),
    )
    this.#changes = replaced.catch(() => {})
    return replaced
  }

  #runningOf(server: StoredServer, finish?: FinishSignIn): RunningServer {
    const { id } = server
    const known = this.#running.get(id)
    if (known && (finish === undefined || known.state !== 'stopped')) return known
    const { onChanged, idleMs } = this.#options
    const running = new RunningServer({
      open: (news) => this.#open(id, news, finish),
      onListed: async ({ tools, problem }) => {
        await this.#replaceTools(id, (stored) => mergeTools(stored, tools))
        setProblem(problem)
      },
      onStateChanged: onChanged,
      idleMs,
    })
    const setProblem = (words: string | null) => {
      this.#problems.set(id, words === null ? null : { state: 'failed', words })
      onChanged()
    }
    this.#running.set(id, running)
    return running
  }

  async #open(
    id: string,
    news: Pick<ConnectOptions, 'onToolsChanged' | 'onClosed' | 'signal'>,
    finish: FinishSignIn | undefined,
  ): Promise<Connection> {
    // Read again: meanwhile it may have been switched off or removed.
    const target = await this.#target(await this.#server(id))
    const { connect, version } = this.#options
    const connection = await connect(target, { ...news, version }, finish)
    this.#problems.set(id, null)
    return connection
  }

  #noteFailure(id: string, error: unknown): void {
    const state = error instanceof SignInMissing ? 'sign_in' : 'failed'
    this.#problems.set(id, { state, words: wordsOf(error) })
    this.#options.onChanged()
  }

  /** What to start or to connect to. @throws DashboardError without a consent to exactly that */
  async #target(server: StoredServer): Promise<Target> {
    const { id, name, config, isOn } = server
    const resolved = await this.#resolve(config)
    if (!isOn) throw new DashboardError('conflict', `The server “${name}” is off.`)
    if (resolved === null)
      throw new DashboardError('not_found', 'The command is not on this computer.')
    if (!this.#consents.has(id, identityOf(id, config, resolved))) {
      throw new DashboardError(
        'conflict',
        `The server “${name}” needs your consent in Settings, Tools.`,
      )
    }
    const values = await this.#values(server)
    if (config.kind === 'http') {
      const { createFetch } = this.#options
      return { kind: 'http', url: config.url, headers: values, createFetch }
    }
    const env = serverEnvironment(this.#options.env, await this.#shellPath(), values)
    return {
      kind: 'stdio',
      command: resolved,
      args: config.args,
      cwd: config.cwd ?? homedir(),
      env,
    }
  }

  async #values(server: StoredServer): Promise<Record<string, string>> {
    const { secretNames } = server.config
    if (secretNames.length === 0) return {}
    const values =
      secretValuesSchema.safeParse(await this.#secretsOf(server).read('values')).data ?? {}
    const missing = secretNames.find((name) => values[name] === undefined)
    if (missing === undefined) return values
    throw new DashboardError(
      'secrets_unavailable',
      `The value of ${missing} is no longer stored. Delete the server and add it again.`,
    )
  }

  /** The absolute path of the program, or the address; null when there is no such program. */
  async #resolve(config: ServerConfig): Promise<string | null> {
    if (config.kind === 'http') return config.url
    const { env } = this.#options
    const path = await this.#shellPath()
    return await findCommand(config.command, { cwd: config.cwd ?? homedir(), path, env })
  }

  #shellPath(): Promise<string> {
    return (this.#path ??= loginShellPath(this.#options.env))
  }

  async #hasConsent({ id, config }: StoredServer): Promise<boolean> {
    const resolved = await this.#resolve(config)
    return resolved !== null && this.#consents.has(id, identityOf(id, config, resolved))
  }

  async #listed(server: StoredServer): Promise<ListedServer> {
    const { id, name, config, isOn } = server
    const resolved = await this.#resolve(config)
    const identity = identityOf(id, config, resolved)
    const problem = this.#problems.get(id) ?? null
    const running = this.#running.get(id)?.state ?? 'stopped'
    return {
      id,
      name,
      config,
      isOn,
      resolved,
      identity,
      hasConsent: resolved !== null && this.#consents.has(id, identity),
      state: running === 'stopped' && problem ? problem.state : running,
      problem: problem?.words ?? null,
      tools: (await this.#options.store.tools(id)).map(toListed),
    }
  }

  async #server(id: string): Promise<StoredServer> {
    const server = (await this.#options.store.servers()).find((one) => one.id === id)
    if (!server) throw new DashboardError('not_found', 'This server no longer exists.')
    return server
  }

  #secretsOf({ id, config }: StoredServer): ServerSecrets {
    const place = config.kind === 'http' ? new URL(config.url).origin : 'stdio'
    return openServerSecrets(this.#options.secrets, id, place)
  }
}

function toListed({ definition, seal, approvedSeal, permission, marks }: StoredTool): ListedTool {
  const changed = approvedSeal === null ? 'new' : 'changed'
  return {
    ...definition,
    seal,
    permission,
    marks,
    state: seal === approvedSeal ? 'approved' : changed,
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
