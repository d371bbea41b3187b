/** A connection to one MCP server, of either protocol: 2026-07-28 has no sessions, the older ones begin with `initialize`. */
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
  type ElicitRequest,
  type ElicitResult,
  type GetPromptResult,
  type OAuthClientProvider,
  type Prompt,
  type Tool,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { limits } from './limits.ts'
import { createLimitedFetch, type CreateFetch } from './limited-fetch.ts'
import { resultText } from './result-text.ts'
import type { Command } from './command-processor.ts'
import { ServerProcess } from './server-process.ts'
import { SignInMissing } from './sign-in-errors.ts'

/** A server that wants another sign-in after each one gets no third answer. */
const signInsAtMost = 2

export type Target =
  | ({ kind: 'stdio' } & Command)
  | {
      kind: 'http'
      url: string
      headers: Readonly<Record<string, string>>
      /** Absent without sign-in. */
      signIn?: OAuthClientProvider | undefined
      createFetch: CreateFetch
    }

export interface ConnectOptions {
  version: string
  onToolsChanged: () => void
  /** Called when the connection ended. */
  onClosed: () => void
  signal: AbortSignal
}

export interface CallOptions {
  signal: AbortSignal
  /** Answers the server's questions while the call runs. */
  ask: (request: ElicitRequest, ended: AbortSignal) => Promise<ElicitResult>
}

/** What a call came to. */
export interface CallOutcome {
  /** `unknown`: the call was sent, and whether it ran is not known. It must not be repeated. */
  outcome: 'done' | 'failed' | 'stopped' | 'unknown'
  /** For the model. */
  text: string
}

export interface Connection {
  listTools(signal: AbortSignal): Promise<Tool[]>
  listPrompts(signal: AbortSignal): Promise<Prompt[]>
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult>
  /** Never rejects, and never sends a call twice. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CallOutcome>
  /** Resolves when the process and what it started have ended. */
  close(): Promise<void>
}

type Transport = ServerProcess | StreamableHTTPClientTransport

/** Finishes a sign-in that the server asks for. Resolves to the address's parameters, and null when nobody signs in. */
export type FinishSignIn = () => Promise<URLSearchParams | null>

/**
 * Connects in the newest protocol that both speak.
 * @throws SignInMissing when the server wants a sign-in and `finishSignIn` does not give one; SdkError
 */
export async function connect(
  target: Target,
  options: ConnectOptions,
  finishSignIn: FinishSignIn = async () => null,
): Promise<Connection> {
  for (let signIns = 0; ; signIns += 1) {
    const transport = transportOf(target, () => void transport.close())
    try {
      return await connectBy(transport, target, options)
    } catch (error) {
      await transport.close()
      if (!isUnauthorized(error) || transport instanceof ServerProcess) throw error
      const parameters = signIns < signInsAtMost ? await finishSignIn() : null
      if (parameters === null) {
        throw new SignInMissing('The server needs a sign-in.', { cause: error })
      }
      await transport.finishAuth(parameters)
    }
  }
}

/** A server without a provider of sign-ins answers 401, and one with a provider opens the browser. */
function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401)
  )
}

async function connectBy(
  transport: Transport,
  target: Target,
  options: ConnectOptions,
): Promise<Connection> {
  try {
    return await open(transport, options, 'auto')
  } catch (error) {
    // Some old servers end at the first message that is not `initialize`.
    const mayBeOld = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
    if (target.kind !== 'stdio' || !mayBeOld) throw withErrorOutput(error, transport)
    await transport.close()
    const again = new ServerProcess(target)
    return await open(again, options, 'legacy').catch(async (reason: unknown) => {
      await again.close()
      throw withErrorOutput(reason, again)
    })
  }
}

function transportOf(target: Target, onTooLong: () => void): Transport {
  if (target.kind === 'stdio') return new ServerProcess(target)
  const url = new URL(target.url)
  return new StreamableHTTPClientTransport(url, {
    fetch: createLimitedFetch(url, target.createFetch, onTooLong),
    requestInit: { headers: target.headers },
    ...(target.signIn && { authProvider: target.signIn }),
  })
}

async function open(
  transport: Transport,
  { version, onToolsChanged, onClosed, signal }: ConnectOptions,
  mode: 'auto' | 'legacy',
): Promise<Connection> {
  const isProgram = transport instanceof ServerProcess
  const settings: ClientOptions = {
    capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } },
    // Over HTTP, the first request may also prepare a sign-in. An old program may never answer it.
    versionNegotiation: {
      mode,
      probe: { timeoutMs: isProgram ? limits.probeMs : limits.connectMs },
    },
    listMaxPages: limits.listPages,
    listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
  }
  const client = new Client({ name: 'modelport', version }, settings)
  const calls = new Set<RunningCall>()
  // A question does not say to which call it belongs: the last one that began answers it.
  client.setRequestHandler('elicitation/create', async (request) => {
    return (await [...calls].at(-1)?.answer(request)) ?? { action: 'decline' }
  })
  let isOpen = true
  const onclose = () => {
    isOpen = false
    onClosed()
  }
  Object.assign(client, { onclose })
  await client.connect(transport, { signal, timeout: limits.connectMs })
  return {
    async listTools(listSignal) {
      const options = {
        signal: listSignal,
        timeout: limits.connectMs,
        cacheMode: 'refresh',
      } as const
      try {
        return (await client.listTools(undefined, options)).tools
      } catch (error) {
        throw withErrorOutput(error, transport)
      }
    },
    ...promptsOf(client),
    async callTool(name, args, options) {
      if (!isOpen) return { outcome: 'failed', text: 'The server is not running.' }
      const call = new RunningCall(options)
      calls.add(call)
      try {
        return await callOnce(client, { name, arguments: { ...args } }, call)
      } finally {
        calls.delete(call)
        call.end()
      }
    },
    async close() {
      await client.close()
      await transport.close()
    },
  }
}

function promptsOf(client: Client): Pick<Connection, 'listPrompts' | 'getPrompt'> {
  return {
    async listPrompts(signal) {
      // Most servers have none, and say so.
      if (client.getServerCapabilities()?.prompts === undefined) return []
      const options = { signal, timeout: limits.connectMs, cacheMode: 'refresh' } as const
      return (await client.listPrompts(undefined, options)).prompts
    },
    getPrompt(name, args, signal) {
      const options = { signal, timeout: limits.callMs }
      return client.getPrompt({ name, arguments: { ...args } }, options)
    },
  }
}

/** setTimeout takes no more. The call has timers of its own, which a question stops. */
const never = 2 ** 31 - 1
const tooLong = 'The server took too long to answer.'

/** A call that waits for the server as long as it shows progress, and for the person as long as they need. */
class RunningCall {
  readonly #options: CallOptions
  readonly #silence = new AbortController()
  readonly #ended = new AbortController()
  readonly #signal: AbortSignal
  #timer: NodeJS.Timeout | undefined
  /** Open questions, and the server's own time so far. */
  #questions = 0
  #workedMs = 0
  #worksSinceMs = Date.now()

  constructor(options: CallOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.signal, this.#silence.signal])
    this.noteProgress()
  }

  get signal(): AbortSignal {
    return this.#signal
  }

  get isStopped(): boolean {
    return this.#options.signal.aborted
  }

  noteProgress(): void {
    clearTimeout(this.#timer)
    if (this.#questions > 0 || this.#ended.signal.aborted) return
    const leftMs = limits.longestCallMs - this.#workedMs - (Date.now() - this.#worksSinceMs)
    this.#timer = setTimeout(() => this.#silence.abort(tooLong), Math.min(limits.callMs, leftMs))
  }

  async answer(request: ElicitRequest): Promise<ElicitResult> {
    clearTimeout(this.#timer)
    if (this.#questions === 0) this.#workedMs += Date.now() - this.#worksSinceMs
    this.#questions += 1
    try {
      return await this.#options.ask(request, this.#ended.signal)
    } finally {
      this.#questions -= 1
      if (this.#questions === 0) this.#worksSinceMs = Date.now()
      this.noteProgress()
    }
  }

  /** Takes back its questions, too. */
  end(): void {
    clearTimeout(this.#timer)
    this.#ended.abort()
  }
}

async function callOnce(
  client: Client,
  called: { name: string; arguments: Record<string, unknown> },
  call: RunningCall,
): Promise<CallOutcome> {
  try {
    const result: CallToolResult = await client.callTool(called, {
      signal: call.signal,
      timeout: never,
      onprogress: () => call.noteProgress(),
    })
    return { outcome: result.isError ? 'failed' : 'done', text: resultText(result) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (call.isStopped)
      return { outcome: 'stopped', text: 'The user stopped the call. It may have run.' }
    if (error instanceof SignInMissing || isUnauthorized(error)) {
      return { outcome: 'failed', text: 'The user has to sign in to the server first.' }
    }
    // The server answered that it does not run the call, or that its result breaks its own schema.
    if (error instanceof ProtocolError) return { outcome: 'failed', text: message }
    return { outcome: 'unknown', text: `${message} Whether the call ran is not known.` }
  }
}

function withErrorOutput(error: unknown, transport: Transport): unknown {
  const output = transport instanceof ServerProcess ? transport.errorText.trim() : ''
  if (output === '' || !(error instanceof Error)) return error
  return new Error(`${error.message}\n${output}`, { cause: error })
}
