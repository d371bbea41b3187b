import { useShallow } from 'zustand/react/shallow'
import { useChat } from '../../stores/chat.ts'
import { useLiveAnswers } from '../../stores/live-answers.ts'

/** The ids of the answers that stream in a conversation; several when routers or models are compared. */
export function useArrivingAnswers(conversation: string): string[] {
  const messages = useChat((state) => state.threads[conversation]?.messages)
  return useLiveAnswers(
    useShallow((live) => {
      const ids = Object.keys(live)
      if (ids.length === 0) return ids
      return (messages ?? []).map(({ id }) => id).filter((id) => id in live)
    }),
  )
}
