import { useShallow } from 'zustand/react/shallow'
import { useChat } from '../../stores/chat.ts'
import { arrivingIn, useLiveAnswers } from '../../stores/live-answers.ts'

/** The ids of the answers that stream in a conversation; several when routers or models are compared. */
export function useArrivingAnswers(conversation: string): string[] {
  const messages = useChat((state) => state.threads[conversation]?.messages)
  return useLiveAnswers(useShallow((live) => arrivingIn(messages, live)))
}
