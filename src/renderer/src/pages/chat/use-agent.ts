import { agentOf, useAgentChoices } from '../../stores/chat-agents.ts'
import { useConversations } from '../../stores/chat.ts'

/** The agent that answers the next message; null when the router chooses a model. */
export function useAgent(conversation: string): string | null {
  const choice = useAgentChoices((choices) => choices[conversation])
  const known = useConversations((state) => state.items?.find(({ id }) => id === conversation))
  return agentOf(known, choice)
}
