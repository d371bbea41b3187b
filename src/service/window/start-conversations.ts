import { partReaders } from '../chat/part-readers.ts'
import { createIds } from '../ids.ts'
import type { Refusals } from '../wiring/refusals.ts'
import type { RequestPath } from '../wiring/request-path.ts'
import type { Workspace } from '../wiring/workspace.ts'
import type { McpServers } from '../mcp/servers.ts'
import { keepText } from './attachments/attach.ts'
import { ConversationTools } from './conversation-tools.ts'
import { ToolApprovals } from './tool-approvals.ts'
import { Conversations } from './conversations.ts'

/** The chat's conversations; answers that a crash cut off are stopped first. */
export async function startConversations(
  workspace: Workspace,
  {
    answerChat,
    previewChat,
    refusals,
    mcp,
  }: Pick<RequestPath, 'answerChat' | 'previewChat'> & {
    refusals: Refusals
    mcp: McpServers
  },
): Promise<Conversations> {
  const { storage, configuration, candidatesOf, events, log, now } = workspace
  await storage.conversations.stopInterrupted()
  await storage.conversations.purge(now())
  const newId = createIds(now)
  const approvals = new ToolApprovals({
    newId,
    onChanged: (open) => events.emit('tool-approvals', open),
  })
  const tools = new ConversationTools({
    servers: mcp,
    store: storage.mcp,
    approvals,
    keepText: (text) => keepText(text, { store: storage.conversations, now }),
    previewChat,
    candidatesOf,
    newId,
    now,
  })
  const conversations = new Conversations({
    answerChat,
    previewChat,
    store: storage.conversations,
    configuration,
    readersAt: (router, content) => partReaders(content, candidatesOf(router)),
    now,
    newId,
    tools,
    onChanged: () => events.emit('changed', { what: 'conversations' }),
    onRefused: (request) => refusals.note(request),
    onBug: (error) => log.failed('conversations', error),
  })
  conversations.indexAll()
  return conversations
}
