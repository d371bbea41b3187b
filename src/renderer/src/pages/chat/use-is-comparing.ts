import { shownAnswers, threadTurns } from '../../stores/answers.ts'
import { useChat } from '../../stores/chat.ts'

/** Whether the last question has several answers to choose from. */
export function useIsComparing(conversation: string): boolean {
  return useChat(({ threads }) => {
    const messages = threads[conversation]?.messages
    const last = messages ? threadTurns(messages).at(-1) : undefined
    return last !== undefined && shownAnswers(last).length > 1
  })
}
