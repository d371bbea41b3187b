/** Runs an agent for the command line, through the normal request path but without an endpoint and a key. */
import { shownText, type AgentMeta } from '../../shared/chat/chat.ts'
import type { ExecutionWatch } from '../agents/agent-call.ts'
import { withRequestPath } from './command-path.ts'
import { ClientClosed } from '../chat/chat-call.ts'
import { ServiceError } from '../errors.ts'
import { createIds } from '../ids.ts'
import type { Workspace } from './workspace.ts'

export interface AgentRunRequest {
  slug: string
  routerId: string
  input: string
  watch: ExecutionWatch
  /** Ends the run like a caller that disconnects. */
  signal: AbortSignal
}

/** Runs an agent. Its ledger rows have no key, like those of the chat window. @throws ServiceError */
export async function runAgent(
  workspace: Workspace,
  { slug, routerId, input, watch, signal }: AgentRunRequest,
): Promise<{ text: string; meta: AgentMeta }> {
  const router = workspace.configuration.current().routers.get(routerId)
  if (!router) throw new ServiceError('router_not_found', `There is no router "${routerId}".`)
  const gone = new AbortController()
  signal.addEventListener('abort', () => gone.abort(new ClientClosed()), { once: true })
  try {
    return await withRequestPath(workspace, async ({ answerChat }) => {
      const admitted = await answerChat.admit({
        requestId: createIds(workspace.now)(),
        router,
        body: { model: `agent:${slug}`, messages: [{ role: 'user', content: input }] },
        apiKeyId: null,
        source: 'chat',
        acceptAnyModel: false,
        client: null,
        cacheUse: 'none',
        watch,
      })
      const { choices, meta } = await admitted.complete(gone.signal)
      if (!('execution_id' in meta)) throw new Error('the answer is not from an agent')
      return { text: shownText(choices[0]?.message), meta }
    })
  } catch (error) {
    if (!(error instanceof ClientClosed)) throw error
    throw new ServiceError('overloaded', 'The run was stopped.', { cause: error })
  }
}
