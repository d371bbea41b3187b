import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { PromptText } from '../routing/prompt/prompt-features.ts'
import { textsOf } from './sessions/request-forms.ts'
import type { Asker } from './sessions/asker.ts'
import { ownInstructions, withoutHarness, writtenByPerson } from './sessions/harness-text.ts'

/**
 * The text of the task and the instructions it was sent with, which the prompt's reading is based on: the last text of a
 * user with something left when the texts of the user's program are taken out. The request itself stays as it is.
 */
export function promptText(
  { messages }: Pick<ChatRequest, 'messages'>,
  client: Asker['client'] = null,
): PromptText {
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  return { lastUser: lastTask(messages, client), system: instructionsOf(system, client) }
}

function lastTask(messages: readonly ChatMessage[], client: Asker['client']): string {
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const task = taskOf(messages, place, client)
    if (task !== '') return task
  }
  return ''
}

/** What a person wrote in the message at this place; empty for other messages, and for texts of the program alone. */
export function taskOf(
  messages: readonly ChatMessage[],
  place: number,
  client: Asker['client'],
): string {
  const message = messages[place]
  if (message?.role !== 'user') return ''
  const texts = textsOf(message)
  // Claude Code begins with a description of its surroundings.
  const isOpening =
    client === 'claude-code' &&
    texts.length > 1 &&
    place === messages.findIndex(({ role }) => role === 'user')
  return withoutHarness(writtenByPerson(isOpening ? texts.slice(1) : texts).join('\n'))
}

function instructionsOf(message: ChatMessage | undefined, client: Asker['client']): string {
  // Codex sends only its own.
  if (message === undefined || client === 'codex') return ''
  const text = textsOf(message).join('\n')
  return client === null ? text : ownInstructions(text)
}
