/** Goes on in a new conversation that begins with a summary of another. */
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import { t } from '../../../shared/strings/strings.ts'
import {
  chooseRouter,
  newConversation,
  noInstructions,
  sendMessage,
  setAttached,
  setDraft,
  useChat,
  useConversations,
} from './chat.ts'

/**
 * Asks for a summary at the end of a conversation, and puts it into a new one with the same instructions, before the message
 * that was not sent. Never rejects: an error is in the thread's `error`, and the message stays where it is.
 */
export async function continueWithSummary(conversation: string, routerId: string): Promise<void> {
  const { drafts, attached } = useChat.getState()
  const unsent = { text: drafts[conversation] ?? '', files: attached[conversation] ?? [] }
  setAttached(conversation, [])
  const text = t(
    'Summarize our conversation for somebody who goes on with it: the goal, what was decided, the facts and names that matter, and what is open.',
  )
  const id = await sendMessage({ conversation, routerId, text })
  const answer = id === null ? null : await lastAnswer(id)
  if (answer?.state !== 'complete') {
    setDraft(conversation, unsent.text)
    setAttached(conversation, unsent.files)
    return
  }
  const known = useConversations.getState().items?.find((one) => one.id === conversation)
  const { systemPrompt, parameters } = known ?? noInstructions
  const before = drafts[newConversation] ?? ''
  const summary = t('Summary of our conversation so far:')
  const parts = [before, `${summary}\n\n${answer.text}`, unsent.text]
  setDraft(newConversation, parts.filter((part) => part !== '').join('\n\n'))
  setAttached(newConversation, [...(attached[newConversation] ?? []), ...unsent.files])
  chooseRouter(newConversation, routerId)
  useChat.setState({
    newInstructions: { systemPrompt, parameters },
    newFolderId: known?.folderId ?? null,
    current: newConversation,
  })
}

/** The answer to the last question, once it has ended. */
function lastAnswer(conversation: string): Promise<ConversationMessage> {
  return new Promise((resolve) => {
    const stop = useChat.subscribe(look)
    function look(): void {
      const last = useChat.getState().threads[conversation]?.messages?.at(-1)
      if (last?.role !== 'assistant' || last.state === 'streaming') return
      stop()
      resolve(last)
    }
    look()
  })
}
