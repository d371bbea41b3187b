/** The tool calls of one answer: each is decided, recorded, run once, and recorded again. */
import { randomBytes } from 'node:crypto'
import type { ChatRequest, CompletionToolCall } from '../../shared/chat/chat.ts'
import type { Conversation } from '../../shared/chat/conversations.ts'
import type { ToolCallRecord, ToolMarks, ToolStep } from '../../shared/chat/tools.ts'
import type { ApprovedCall, ToolApproval } from '../../shared/chat/tool-approvals.ts'
import { isGranted, offeredGrants } from '../mcp/grants.ts'
import { verdictOf } from '../mcp/permission.ts'
import type { AskPerson } from '../mcp/read-question.ts'
import { asData, cutResult, isTooLong } from '../mcp/result-text.ts'
import type { McpServers, UsableTool } from '../mcp/servers.ts'
import type { McpStore } from '../storage/mcp-store.ts'
import { callTool, findTools, searchTools, type OfferedTools } from './offered-tools.ts'
import type { ToolApprovals } from './tool-approvals.ts'
import { TurnEnded, TurnLimits } from './turn-limits.ts'

export interface ToolTurnOptions {
  servers: Pick<McpServers, 'usableTool' | 'callTool' | 'setTool'>
  store: Pick<McpStore, 'saveCall'>
  approvals: ToolApprovals
  /** Tools that the user allowed for a conversation, by `grantOf`. */
  grants: Set<string>
  /** Stores a text once. @returns its SHA-256 */
  keepText: (text: string) => Promise<string>
  now: () => number
}

interface Turn {
  conversation: Pick<Conversation, 'id' | 'title'>
  offered: OfferedTools
  /** What the conversation has read before this answer. */
  hasRead: Pick<ToolMarks, 'readsPrivate' | 'readsForeign'>
  answerId: string
}

/** Where in the answer a call is. */
export interface CallPlace {
  requestId: string
  textEnd: number
}

type Save = (step: ToolStep) => Promise<void>

const noMarks: ToolMarks = { readsPrivate: false, readsForeign: false, sendsOut: false }

export class ToolTurn {
  readonly #options: ToolTurnOptions
  readonly #turn: Turn
  readonly #limits: TurnLimits
  #hasRead: Turn['hasRead']

  constructor(turn: Turn, options: ToolTurnOptions) {
    this.#turn = turn
    this.#options = options
    this.#limits = new TurnLimits(options.now)
    this.#hasRead = turn.hasRead
  }

  get definitions(): NonNullable<ChatRequest['tools']> {
    return this.#turn.offered.definitions
  }

  addCost(usd: number): void {
    this.#limits.addCost(usd)
  }

  /**
   * Runs the calls of a model's answer, one after another.
   * @param save  stores a step: before its call is sent, and after it
   * @throws TurnEnded; the signal's reason
   */
  async run(
    calls: readonly CompletionToolCall[],
    place: CallPlace,
    { save, signal }: { save: Save; signal: AbortSignal },
  ): Promise<void> {
    for (const call of calls) {
      await this.#askToGoOn(signal)
      const { step, text } = await this.#runOne(
        toStep(call, place, this.#options.now()),
        save,
        signal,
      )
      const result =
        step.outcome === 'done' ? asData(text, step.calledAs, nonce()) : cutResult(text)
      const wholeResult = isTooLong(text) ? await this.#options.keepText(text) : null
      await this.#record({ ...step, result, wholeResult }, save)
      signal.throwIfAborted()
      this.#limits.note(step, text)
    }
  }

  async #askToGoOn(signal: AbortSignal): Promise<void> {
    const about = this.#limits.question()
    if (about === null) return
    const { decision } = await this.#ask(about, signal)
    if (decision === 'deny') throw new TurnEnded('You ended the turn.')
    this.#limits.renew()
  }

  async #runOne(
    step: ToolStep,
    save: Save,
    signal: AbortSignal,
  ): Promise<{ step: ToolStep; text: string }> {
    const called = this.#resolve(step)
    if (typeof called === 'string') return { step: { ...step, outcome: 'failed' }, text: called }
    if (called.tool === null) {
      const found = searchTools(this.#turn.offered, called.query)
      return { step: { ...step, outcome: 'done', allowedBy: 'search' }, text: found }
    }
    const { tool, args } = called
    const named = { ...step, server: tool.server, tool: tool.definition.name, marks: tool.marks }
    const allowedBy = await this.#decide(tool, args, signal)
    if (allowedBy === null) return { step: { ...named, outcome: 'denied' }, text: denied }
    const running: ToolStep = {
      ...named,
      outcome: 'running',
      allowedBy,
      startedAtMs: this.#options.now(),
    }
    // Stored first: after a crash it must be known that the call may have run.
    await this.#record(running, save)
    const ask: AskPerson = async (question, ended) => {
      const until = AbortSignal.any([signal, ended])
      const { decision, values = {} } = await this.#ask(question, until)
      return decision === 'deny' ? null : values
    }
    const { outcome, text } = await this.#options.servers.callTool(tool, args, { signal, ask })
    this.#noteRead(tool.marks)
    const latencyMs = this.#options.now() - running.startedAtMs
    return { step: { ...running, outcome, latencyMs, bytes: Buffer.byteLength(text) }, text }
  }

  /** The tool and its arguments; a search; or why there is neither, for the model. */
  #resolve(
    step: ToolStep,
  ): { tool: UsableTool; args: Record<string, unknown> } | { tool: null; query: string } | string {
    const args = objectOf(step.arguments)
    if (args === null) return 'The arguments are not a JSON object.'
    const { isOnDemand, byName } = this.#turn.offered
    if (isOnDemand && step.calledAs === findTools) {
      const { query } = args
      return { tool: null, query: typeof query === 'string' ? query : '' }
    }
    const isThrough = isOnDemand && step.calledAs === callTool
    const tool = byName.get(isThrough ? String(args['name']) : step.calledAs)
    if (!tool) return 'There is no tool with this name.'
    if (!isThrough) return { tool, args }
    const inner = args['arguments'] ?? {}
    const given = typeof inner === 'string' ? objectOf(inner) : objectOf(JSON.stringify(inner))
    return given === null ? 'The arguments are not a JSON object.' : { tool, args: given }
  }

  /** How the call is allowed; null when it is not. @throws the signal's reason */
  async #decide(
    offered: UsableTool,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<'once' | 'conversation' | 'always' | null> {
    const { servers, grants } = this.#options
    // As it is now: it may have changed, or the user may have denied it, since the turn began.
    const tool = await servers.usableTool(offered.serverId, offered.definition.name)
    if (tool?.seal !== offered.seal) return null
    const grant = grantOf(this.#turn.conversation.id, tool)
    const { permission, marks } = tool
    const verdict = verdictOf({
      isApproved: true,
      permission,
      marks,
      hasRead: this.#hasRead,
      isAllowedHere: grants.has(grant),
      isGranted: isGranted(tool.grants, args),
    })
    if (verdict.kind === 'refuse') return null
    if (verdict.kind === 'run') return verdict.allowedBy
    const { server, definition } = tool
    const about: ApprovedCall = {
      kind: 'call',
      server,
      tool: definition,
      arguments: JSON.stringify(args, null, 2),
      marks,
      grants: offeredGrants(args),
      risk: verdict.risk,
    }
    const { decision, grant: nth = 0 } = await this.#ask(about, signal)
    if (decision === 'deny') return null
    if (verdict.risk !== null || decision === 'once') return 'once'
    if (decision === 'conversation') {
      grants.add(grant)
      return decision
    }
    const chosen = decision === 'within' ? about.grants.slice(nth, nth + 1) : null
    await servers.setTool(
      tool.serverId,
      definition.name,
      chosen === null ? { permission: 'allow' } : { grants: [...tool.grants, ...chosen] },
    )
    return 'always'
  }

  async #ask(about: ToolApproval['about'], signal: AbortSignal) {
    const { approvals, now } = this.#options
    const { id, title } = this.#turn.conversation
    const startedAtMs = now()
    try {
      return await approvals.ask({ conversationId: id, conversationTitle: title, about }, signal)
    } finally {
      this.#limits.addWaiting(now() - startedAtMs)
    }
  }

  #noteRead({ readsPrivate, readsForeign }: ToolMarks): void {
    this.#hasRead = {
      readsPrivate: this.#hasRead.readsPrivate || readsPrivate,
      readsForeign: this.#hasRead.readsForeign || readsForeign,
    }
  }

  async #record(step: ToolStep, save: Save): Promise<void> {
    const { requestId, server, tool, outcome, allowedBy, startedAtMs, latencyMs, bytes } = step
    const id = `${this.#turn.answerId}:${requestId}:${step.id}`
    const figures = { startedAtMs, latencyMs, bytes }
    const call: ToolCallRecord = { id, requestId, server, tool, outcome, allowedBy, ...figures }
    await Promise.all([this.#options.store.saveCall(call), save(step)])
  }
}

const denied = 'The user did not allow this call. Do not repeat it.'

function grantOf(conversationId: string, { serverId, definition, seal }: UsableTool): string {
  return JSON.stringify([conversationId, serverId, definition.name, seal])
}

function nonce(): string {
  return `data-${randomBytes(6).toString('hex')}`
}

function toStep(call: CompletionToolCall, place: CallPlace, nowMs: number): ToolStep {
  const { id, type: _type, function: called, custom: _custom, ...wire } = call
  const { name = '', arguments: text = '' } = called ?? {}
  return {
    id,
    ...place,
    calledAs: name,
    server: '',
    tool: name,
    arguments: text === '' ? '{}' : text,
    wire,
    marks: noMarks,
    outcome: 'failed',
    allowedBy: null,
    startedAtMs: nowMs,
    latencyMs: null,
    bytes: null,
    result: '',
    wholeResult: null,
  }
}

/** @returns null for text that is no JSON object */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    // A checked boundary: each field is checked when it is read.
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
