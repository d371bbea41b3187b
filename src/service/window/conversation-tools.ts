/** What the tools of the user's MCP servers add to a conversation's requests. */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { keptAnswer } from '../../shared/chat/conversation-turns.ts'
import type { Instructions } from '../../shared/chat/conversations.ts'
import type { ToolOffer } from '../../shared/chat/tool-approvals.ts'
import type { ToolMarks, ToolStep } from '../../shared/chat/tools.ts'
import type { Router } from '../../shared/entities.ts'
import type { PreviewChat } from '../chat/preview.ts'
import { ServiceError } from '../errors.ts'
import type { McpServers } from '../mcp/servers.ts'
import type { McpStore } from '../storage/mcp-store.ts'
import type { Generation, WindowBody } from './generate-answer.ts'
import { offerTools, type OfferedTools } from './offered-tools.ts'
import type { ToolApprovals } from './tool-approvals.ts'
import { ToolTurn, type ToolTurnOptions } from './tool-turn.ts'
import { windowCall } from './window-call.ts'

interface KnownModel {
  modelId: string
  contextTokens: number | null
  price: { inputUsdPerMtok: number }
}

export interface ConversationToolsOptions {
  servers: Pick<McpServers, 'usableTools' | 'usableTool' | 'callTool' | 'setTool'>
  store: Pick<McpStore, 'saveCall'>
  approvals: ToolApprovals
  keepText: ToolTurnOptions['keepText']
  previewChat: PreviewChat
  candidatesOf: (router: Router) => readonly KnownModel[]
  newId: () => string
  now: () => number
}

interface OfferRequest {
  router: Router
  /** A model of the router; null lets it choose. */
  model: string | null
  conversationId: string | null
  body: ChatRequest
}

export class ConversationTools {
  readonly #options: ConversationToolsOptions
  /** Tools that the user allowed for a conversation, until the next start. */
  readonly #grants = new Set<string>()

  constructor(options: ConversationToolsOptions) {
    this.#options = options
  }

  get approvals(): Pick<ToolApprovals, 'list' | 'decide'> {
    return this.#options.approvals
  }

  /** The tools of an answer; null where it has none. Agents have steps of their own, and call none. */
  async open({ body, ...generation }: Generation & { body: WindowBody }): Promise<ToolTurn | null> {
    const { router, conversation, model, earlier, answer } = generation
    const isAgent = model === null && conversation.agent !== null
    if (isAgent || !hasTools(conversation)) return null
    const conversationId = conversation.id
    const offered = await this.offer({ router, model, conversationId, body })
    if (offered === null) return null
    const kept = earlier.flatMap(({ answers }) => keptAnswer(answers)?.toolSteps ?? [])
    const hasRead = readBy([...kept, ...answer.toolSteps])
    const { servers, store, approvals, keepText, now } = this.#options
    const turn = { conversation, offered, hasRead, answerId: answer.id }
    return new ToolTurn(turn, { servers, store, approvals, keepText, now, grants: this.#grants })
  }

  /** The tools to offer with a request; null when there are none. */
  async offer(request: OfferRequest): Promise<OfferedTools | null> {
    const tools = await this.#options.servers.usableTools()
    if (tools.length === 0) return null
    return offerTools(tools, (definitions) => {
      return this.#chosenModel(withTools(request, definitions))?.contextTokens ?? null
    })
  }

  /** What tools would add to a request, for the user. */
  async describe(router: Router, conversationId: string | null): Promise<ToolOffer> {
    const body: ChatRequest = { messages: [{ role: 'user', content: '' }] }
    const request = { router, model: null, conversationId, body }
    const offered = await this.offer(request)
    if (offered === null) return { tools: 0, tokens: 0, costUsd: null, isOnDemand: false }
    const { tokens, isOnDemand, byName, definitions } = offered
    const model = this.#chosenModel(withTools(request, definitions))
    const costUsd = model === null ? null : (tokens * model.price.inputUsdPerMtok) / 1e6
    return { tools: byName.size, tokens, costUsd, isOnDemand }
  }

  /** The model that would be asked; null when none can be, which the request itself then says. */
  #chosenModel({ router, model, conversationId, body }: OfferRequest): KnownModel | null {
    const { previewChat, candidatesOf, newId } = this.#options
    try {
      const call = windowCall({ requestId: newId(), router, conversationId, model, body })
      const chosen = previewChat(call).model
      return candidatesOf(router).find(({ modelId }) => modelId === chosen) ?? null
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }
}

export function hasTools(instructions: Instructions | null | undefined): boolean {
  return instructions?.parameters.tools === true
}

function withTools(request: OfferRequest, tools: NonNullable<ChatRequest['tools']>): OfferRequest {
  return { ...request, body: { ...request.body, tools } }
}

/** What calls of tools have brought into a conversation. */
function readBy(steps: readonly ToolStep[]): Pick<ToolMarks, 'readsPrivate' | 'readsForeign'> {
  const ran = steps.filter(({ allowedBy }) => allowedBy !== null)
  return {
    readsPrivate: ran.some(({ marks }) => marks.readsPrivate),
    readsForeign: ran.some(({ marks }) => marks.readsForeign),
  }
}
