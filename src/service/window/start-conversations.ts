import { partReaders } from '../chat/part-readers.ts'
import { createIds } from '../ids.ts'
import type { Refusals } from '../wiring/refusals.ts'
import type { RequestPath } from '../wiring/request-path.ts'
import type { Workspace } from '../wiring/workspace.ts'
import { Conversations } from './conversations.ts'

/** The chat's conversations; answers that a crash cut off are stopped first. */
export async function startConversations(
  workspace: Workspace,
  {
    refusals,
    ...requestPath
  }: Pick<RequestPath, 'answerChat' | 'previewChat'> & { refusals: Refusals },
): Promise<Conversations> {
  const { storage, configuration, candidatesOf, events, log, now } = workspace
  await storage.conversations.stopInterrupted()
  await storage.conversations.purge(now())
  const conversations = new Conversations({
    ...requestPath,
    store: storage.conversations,
    configuration,
    readersAt: (router, content) => partReaders(content, candidatesOf(router)),
    now,
    newId: createIds(now),
    onChanged: () => events.emit('changed', { what: 'conversations' }),
    onRefused: (request) => refusals.note(request),
    onBug: (error) => log.failed('conversations', error),
  })
  conversations.indexAll()
  return conversations
}
