/**
 * The user's MCP servers. Two places decide what may happen: `ServerStarts.target` is the only one that says what to start
 * or to connect to, and needs a stored consent for exactly that; `callTool` is the only one that calls, and needs the seal that
 * the user looked at. docs/decisions/2026-11-29-mcp-host.md
 */
import { randomBytes } from 'node:crypto'
import type {
  EnteredServer,
  ListedServer,
  ListedTool,
  ServerPrompt,
  ToolDefinition,
  ToolGrant,
  ToolMarks,
  ToolPermission,
} from '../../shared/chat/tools.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { McpStore, StoredServer, StoredTool } from '../storage/mcp-store.ts'
import type { CallOutcome, ConnectOptions, Connection } from './connection.ts'
import { openConsents } from './consents.ts'
import type { CreateFetch } from './limited-fetch.ts'
import { RunningServer } from './running-server.ts'
import { answerQuestions, type AskPerson } from './read-question.ts'
import { ServerStarts } from './server-starts.ts'
import { limits } from './limits.ts'
import { promptText, readPrompts } from './prompts.ts'
import { signInTo, type Connect, type SignInBrowser } from './sign-in-to.ts'
import { mergeTools } from './merge-tools.ts'
import { SignInMissing } from './sign-in-errors.ts'

export interface McpServersOptions {
  dataDir: string
  store: McpStore
  secrets: SecretStore
  env: Readonly<Record<string, string | undefined>>
  version: string
  createFetch: CreateFetch
  connect: Connect
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
  /** Given to this server, and to the tool as the seal has it. */
  grants: readonly ToolGrant[]
}

export class McpServers {
  readonly #options: McpServersOptions
  readonly #starts: ServerStarts
  readonly #running = new Map<string, RunningServer>()
  readonly #problems = new Map<string, { state: 'failed' | 'sign_in'; words: string } | null>()
  /** Changes of stored tools wait for each other: one that began before a new list must not undo it. */
  #changes: Promise<unknown> = Promise.resolve()

  private constructor(options: McpServersOptions, starts: ServerStarts) {
    this.#options = options
    this.#starts = starts
  }

  static async open(options: McpServersOptions): Promise<McpServers> {
    await options.store.endInterrupted()
    const consents = await openConsents(options.dataDir)
    return new McpServers(options, new ServerStarts({ ...options, consents }))
  }

  /** In the order in which they were added. */
  async list(): Promise<ListedServer[]> {
    const servers = await this.#options.store.servers()
    return Promise.all(servers.map((server) => this.#listed(server)))
  }

  /** Servers in pasted JSON; none is added. @throws DashboardError invalid */
  async read(text: string): Promise<EnteredServer[]> {
    const { readPasted } = await import('./read-pasted.ts')
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
    if (config.secretNames.length > 0) await this.#starts.secretsOf(server).write('values', secrets)
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
    await this.#starts.withdraw(id)
    await this.#running.get(id)?.close()
    this.#running.delete(id)
    this.#problems.delete(id)
    await this.#starts.secretsOf(server).removeAll()
    await store.removeServer(id)
    onChanged()
  }

  /**
   * Stores the consent to what the window showed, and starts the server to read its tools.
   * @throws DashboardError conflict when it is no longer what the window showed
   */
  async consent(id: string, identity: string): Promise<ListedServer> {
    const server = await this.#server(id)
    const { hasConsent } = await this.#starts.look(server)
    // What was allowed for ever was another program or address.
    if (!hasConsent) await this.#changeTools(id, (tool) => ({ ...tool, grants: [] }))
    await this.#starts.consent(server, identity)
    return await this.refresh(id)
  }

  /** Starts the server if needed and reads its tools again. A failure is in its `problem`. */
  async refresh(id: string): Promise<ListedServer> {
    const server = await this.#server(id)
    await this.#runningOf(server)
      .refresh()
      .catch((error: unknown) => this.#noteFailure(id, error))
    return await this.#listed(server)
  }

  /**
   * Signs in to a server, and reads its tools again. A failure is in its `problem`.
   * @throws DashboardError when it was not opened
   */
  async signIn(id: string, browser: SignInBrowser): Promise<ListedServer> {
    const server = await this.#server(id)
    await this.#running.get(id)?.close()
    try {
      await signInTo(server, browser, { ...this.#options, starts: this.#starts })
    } catch (error) {
      if (error instanceof DashboardError) throw error
      this.#noteFailure(id, new SignInMissing(wordsOf(error)))
      return await this.#listed(server)
    }
    return await this.refresh(id)
  }

  /** Approves tools as the window showed them. @throws DashboardError conflict when one has changed since */
  async approve(id: string, seals: Readonly<Record<string, string>>): Promise<void> {
    await this.#changeTools(id, (tool) => {
      const seen = seals[tool.definition.name]
      if (seen === undefined) return tool
      if (seen !== tool.seal)
        throw new DashboardError('conflict', 'The tool has changed. Look at it again.')
      // What was allowed was the tool before the change.
      if (tool.approvedSeal === seen) return tool
      const permission = tool.permission === 'deny' ? tool.permission : 'ask'
      return { ...tool, approvedSeal: seen, permission, grants: [] }
    })
  }

  /** @throws DashboardError not_found */
  async setTool(
    id: string,
    name: string,
    changes: {
      permission?: ToolPermission | undefined
      marks?: ToolMarks | undefined
      grants?: readonly ToolGrant[] | undefined
    },
  ): Promise<void> {
    await this.#changeTools(id, (tool) => {
      if (tool.definition.name !== name) return tool
      const { permission = tool.permission, marks = tool.marks, grants = tool.grants } = changes
      return { ...tool, permission, marks, grants }
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
    { signal, ask = async () => null }: { signal: AbortSignal; ask?: AskPerson },
  ): Promise<CallOutcome> {
    const { serverId, seal, definition } = tool
    try {
      const server = await this.#server(serverId)
      const asked = answerQuestions(server.name, ask)
      return await this.#runningOf(server).use(async (connection) => {
        const current = await this.usableTool(serverId, definition.name)
        if (current?.seal !== seal) {
          return {
            outcome: 'failed',
            text: 'The tool has changed, so it is off until the user has looked at it.',
          }
        }
        return await connection.callTool(definition.name, args, { signal, ask: asked })
      })
    } catch (error) {
      this.#noteFailure(serverId, error)
      return { outcome: 'failed', text: wordsOf(error) }
    }
  }

  /** The prompts of a server, which starts if needed. @throws as `fillPrompt`, and when the list is too long */
  async prompts(id: string): Promise<ServerPrompt[]> {
    const signal = AbortSignal.timeout(limits.connectMs)
    return await this.#use(id, async (connection) => {
      return readPrompts(await connection.listPrompts(signal))
    })
  }

  /** The text of a prompt with its arguments. @throws DashboardError without a consent; the server's error */
  async fillPrompt(
    id: string,
    name: string,
    args: Readonly<Record<string, string>>,
  ): Promise<string> {
    const signal = AbortSignal.timeout(limits.callMs)
    return await this.#use(id, async (connection) => {
      return promptText(await connection.getPrompt(name, args, signal))
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((running) => running.close()))
  }

  /** @throws DashboardError with the server's words, so that the window can show them */
  async #use<Result>(
    id: string,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const server = await this.#server(id)
    try {
      return await this.#runningOf(server).use(work)
    } catch (error) {
      if (error instanceof DashboardError) throw error
      // An error of a server that runs is only about this prompt.
      if (this.#running.get(id)?.state !== 'running') this.#noteFailure(id, error)
      throw new DashboardError('conflict', wordsOf(error))
    }
  }

  async #usableOf(server: StoredServer): Promise<UsableTool[]> {
    if (!server.isOn || !(await this.#starts.look(server)).hasConsent) return []
    const tools = await this.#options.store.tools(server.id)
    return tools
      .filter(
        ({ seal, approvedSeal, permission }) => seal === approvedSeal && permission !== 'deny',
      )
      .map(({ approvedSeal: _approved, ...tool }) => {
        return { serverId: server.id, server: server.name, ...tool }
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

  #runningOf({ id }: StoredServer): RunningServer {
    const known = this.#running.get(id)
    if (known) return known
    const { onChanged, idleMs } = this.#options
    const running = new RunningServer({
      open: (news) => this.#open(id, news),
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
  ): Promise<Connection> {
    // Read again: meanwhile it may have been switched off or removed.
    const target = await this.#starts.target(await this.#server(id))
    const { connect, version } = this.#options
    const connection = await connect(target, { ...news, version })
    this.#problems.set(id, null)
    return connection
  }

  #noteFailure(id: string, error: unknown): void {
    const state = error instanceof SignInMissing ? 'sign_in' : 'failed'
    this.#problems.set(id, { state, words: wordsOf(error) })
    this.#options.onChanged()
  }

  async #listed(server: StoredServer): Promise<ListedServer> {
    const { id, name, config, isOn } = server
    const start = await this.#starts.look(server)
    const problem = this.#problems.get(id) ?? null
    const running = this.#running.get(id)?.state ?? 'stopped'
    return {
      id,
      name,
      config,
      isOn,
      ...start,
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
}

function toListed({ definition, approvedSeal, ...tool }: StoredTool): ListedTool {
  const changed = approvedSeal === null ? 'new' : 'changed'
  return {
    ...definition,
    ...tool,
    state: tool.seal === approvedSeal ? 'approved' : changed,
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
