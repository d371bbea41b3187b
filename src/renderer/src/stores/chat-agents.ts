import { create } from 'zustand'
import type { Conversation } from '../../../shared/entities.ts'

/** The agent picked for a conversation's next message, by conversation; null is none. */
export const useAgentChoices = create<Record<string, string | null>>(() => ({}))

export function chooseAgent(conversation: string, agent: string | null): void {
  useAgentChoices.setState({ [conversation]: agent })
}

/** Once it was sent, the conversation itself says who answers in it. */
export function forgetAgentChoice(conversation: string): void {
  useAgentChoices.setState(({ [conversation]: _sent, ...others }) => others, true)
}

/** Who answers a conversation's next message: picked, the one that did before, or no agent. */
export function agentOf(
  conversation: Conversation | undefined,
  choice: string | null | undefined,
): string | null {
  return choice === undefined ? (conversation?.agent ?? null) : choice
}
