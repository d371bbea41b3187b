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
  const text = t(
    'Summarize our conversation for somebody who goes on with it: the goal, what was decided, the facts and names that matter, and what is open.',
  )
  const id = await sendMessage({ conversation, routerId, text, queuedFiles: [] })
  const answer = id === null ? null : await lastAnswer(id)
  if (answer?.state !== 'complete') return
  const known = useConversations.getState().items?.find((one) => one.id === conversation)
  const { systemPrompt, parameters } = known ?? noInstructions
  const { drafts, attached, current } = useChat.getState()
  const draftOf = (of: string) => drafts[of] ?? ''
  const filesOf = (of: string) => attached[of] ?? []
  const summary = `${t('Summary of our conversation so far:')}\n\n${answer.text}`
  const parts = [draftOf(newConversation), summary, draftOf(conversation)]
  setDraft(newConversation, parts.filter((part) => part !== '').join('\n\n'))
  setAttached(newConversation, [...filesOf(newConversation), ...filesOf(conversation)])
  setDraft(conversation, '')
  setAttached(conversation, [])
  chooseRouter(newConversation, routerId)
  useChat.setState({
    newInstructions: { systemPrompt, parameters },
    newPreset: known?.preset ?? null,
    newFolderId: known?.folderId ?? null,
    fromFolder: null,
    // A person who went elsewhere meanwhile stays there.
    current: current === conversation ? newConversation : current,
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
