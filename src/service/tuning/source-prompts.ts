/** The prompts of each source. Stored requests and conversations are those of the run's router alone. */
import type { PromptSource } from '../../shared/tuning/tuning-run.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { promptOfRequest, promptsOfConversation } from './kept-prompts.ts'
import { readPromptFile } from './read-prompt-file.ts'
import type { TuningDependencies } from './tuning-dependencies.ts'
import type { SourcePrompt } from './tuning-prompt.ts'

/** The newest ones; more would not change the sample much. */
const mostRequests = 5_000
const mostConversations = 1_000

type Sources = Pick<TuningDependencies, 'contents' | 'conversations' | 'starterPrompts'>

/** @throws DashboardError invalid, with a line for each invalid entry of a file */
export async function sourcePrompts(
  source: PromptSource,
  routerId: string,
  sources: Sources,
): Promise<readonly SourcePrompt[]> {
  switch (source.from) {
    case 'starter':
      return sources.starterPrompts()
    case 'file':
      return filePrompts(source)
    case 'requests': {
      const kept = await sources.contents.ofRouter(routerId, mostRequests)
      return kept.flatMap((content) => promptOfRequest(content) ?? [])
    }
    case 'conversations':
      return await conversationPrompts(routerId, sources)
  }
}

function filePrompts({ name, text }: { name: string; text: string }): SourcePrompt[] {
  const read = readPromptFile(name, text)
  if (read.ok) return read.prompts
  const lines = read.faults.map(({ line, field, message }) => {
    const where = field === '' ? '' : ` ${field}:`
    return `${name}:${line}:${where} ${message}`
  })
  throw new DashboardError('invalid', lines.join('\n'), 'prompts')
}

async function conversationPrompts(
  routerId: string,
  { conversations }: Pick<Sources, 'conversations'>,
): Promise<SourcePrompt[]> {
  const all = await conversations.list()
  const ofRouter = all.filter((conversation) => conversation.routerId === routerId)
  const prompts: SourcePrompt[] = []
  for (const { id } of ofRouter.slice(0, mostConversations)) {
    prompts.push(...promptsOfConversation(await conversations.messages(id)))
  }
  return prompts
}
