import { create } from 'zustand'
import type { Conversation } from '../../../shared/chat/conversations.ts'

/** The agent picked for the next message, by conversation; null for none. */
export const useAgentChoices = create<Record<string, string | null>>(() => ({}))

export function chooseAgent(conversation: string, agent: string | null): void {
  useAgentChoices.setState({ [conversation]: agent })
}

/** Clears the choice after sending: the conversation then stores the agent. */
export function forgetAgentChoice(conversation: string): void {
  useAgentChoices.setState(({ [conversation]: _sent, ...others }) => others, true)
}

/** The agent of the next message: the picked one, else the previous one, else none. */
export function agentOf(
  conversation: Conversation | undefined,
  choice: string | null | undefined,
): string | null {
  return choice === undefined ? (conversation?.agent ?? null) : choice
}
