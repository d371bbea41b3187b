import { turnsOf } from '../../../../shared/chat/conversation-turns.ts'
import { shownAnswers } from '../../stores/answers.ts'
import { useChat } from '../../stores/chat.ts'

/** Whether the last question has several answers to choose from. */
export function useIsComparing(conversation: string): boolean {
  return useChat(({ threads }) => {
    const last = turnsOf(threads[conversation]?.messages ?? []).at(-1)
    return last !== undefined && shownAnswers(last).length > 1
  })
}
