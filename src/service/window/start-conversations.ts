import { partReaders } from '../chat/part-readers.ts'
import { createIds } from '../ids.ts'
import { Titles } from './conversation-titles.ts'
import type { Refusals } from '../wiring/refusals.ts'
import type { RequestPath } from '../wiring/request-path.ts'
import type { Workspace } from '../wiring/workspace.ts'
import type { McpServers } from '../mcp/servers.ts'
import { keepText } from './attachments/attach.ts'
import { ConversationTools } from './conversation-tools.ts'
import { ToolApprovals } from './tool-approvals.ts'
import { Conversations } from './conversations.ts'

/** A person who reads an answer seldom asks sooner. */
const titlesAfterMs = 2_000

/** The chat's conversations; answers that a crash cut off are stopped first. */
export async function startConversations(
  workspace: Workspace,
  {
    answerChat,
    completeChat,
    previewChat,
    refusals,
    mcp,
  }: Pick<RequestPath, 'answerChat' | 'completeChat' | 'previewChat'> & {
    refusals: Refusals
    mcp: McpServers
  },
): Promise<Conversations> {
  const { storage, configuration, candidatesOf, events, log, now } = workspace
  await storage.conversations.stopInterrupted()
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
  const onChanged = () => events.emit('changed', { what: 'conversations' })
  const onBug = (error: unknown) => log.failed('conversations', error)
  const store = storage.conversations
  // What was deleted before the last end; it can stay until the next start.
  await store.purge(now()).catch(onBug)
  const asked = { store, configuration, candidatesOf, completeChat, newId }
  const titles = new Titles({ ...asked, onChanged, onBug, idleMs: titlesAfterMs })
  const conversations = new Conversations({
    answerChat,
    previewChat,
    store,
    configuration,
    readersAt: (router, content) => partReaders(content, candidatesOf(router)),
    now,
    newId,
    tools,
    titles,
    onChanged,
    onRefused: (request) => refusals.note(request),
    onBug,
  })
  conversations.indexAll()
  return conversations
}
