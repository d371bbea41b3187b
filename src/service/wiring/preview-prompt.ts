/** Previews a prompt for the command line, without an endpoint and a key. Nothing in the data folder changes. */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import type { Preview } from '../../shared/routers/preview.ts'
import { LossAccounts } from '../chat/admission/loss-accounts.ts'
import { Pacing } from '../chat/admission/pacing.ts'
import { ConversationMemory } from '../chat/learning/conversation-memory.ts'
import { AgentMemory } from '../chat/sessions/agent-memory.ts'
import { PromptShares } from '../chat/learning/prompt-shares.ts'
import { previewChat } from '../chat/preview.ts'
import { ServiceError } from '../errors.ts'
import { createIds } from '../ids.ts'
import { startLearning } from './learning.ts'
import type { Workspace } from './workspace.ts'

/**
 * Uses what was learned from stored answers. Conversations, paused models and the pacing of budgets are in the memory
 * of a running service and unknown here.
 * @throws ServiceError router_not_found, and as `previewChat`
 */
export async function previewPrompt(
  workspace: Workspace,
  routerId: string,
  body: ChatRequest,
): Promise<Preview> {
  const { configuration, candidatesOf, deployments, upstreams, now, clock } = workspace
  const router = configuration.current().routers.get(routerId)
  if (!router) throw new ServiceError('router_not_found', `There is no router "${routerId}".`)
  const learning = await startLearning(workspace)
  try {
    const lossAccounts = new LossAccounts(workspace.storage.ledger)
    await lossAccounts.open(router)
    const pacing = new Pacing({
      paceOf: () => null,
      accountOf: (one) => lossAccounts.accountOf(one),
    })
    const call = {
      requestId: createIds(now)(),
      router,
      body,
      apiKeyId: null,
      source: 'api',
      acceptAnyModel: false,
      client: null,
      cacheUse: 'none',
    } as const
    return previewChat(call, {
      candidatesOf,
      knowledgeOf: (candidate, query) => learning.statistics.knowledgeOf(candidate, query),
      statistics: learning.statistics,
      ownKinds: learning.ownKinds,
      promptShares: new PromptShares(),
      conversationMemory: new ConversationMemory(clock),
      isPromptCachingOn: () => false,
      agents: new AgentMemory(clock),
      pinOf: () => null,
      deployments,
      outageOf: ({ providerId }) => upstreams.outage(providerId),
      formOf: ({ providerId }) => upstreams.form(providerId),
      nextSpendingOf: (...request) => pacing.nextSpendingOf(...request),
      now,
      clock,
    })
  } finally {
    await learning.close()
  }
}
