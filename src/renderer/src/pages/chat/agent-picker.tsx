import { Select } from '../../components/select.tsx'
import { useAgents } from '../../stores/agents.ts'
import { chooseAgent } from '../../stores/chat-agents.ts'
import { useAgent } from './use-agent.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The value for "no agent". No agent can have this name. */
const none = t('no agent')

/** Selects an agent for the next message. Hidden while no agents exist. */
export function AgentPicker({ conversation }: { conversation: string }) {
  const agents = useAgents((state) => state.items) ?? []
  const agent = useAgent(conversation)
  if (agents.length === 0 && agent === null) return null
  const isGone = agent !== null && agents.every(({ name }) => name !== agent)
  return (
    <div className="flex shrink-0 items-center gap-2">
      <span aria-hidden className="hidden text-xs whitespace-nowrap text-muted @min-[40rem]:inline">
        {t('Answered by')}
      </span>
      <div className="w-36 @min-[40rem]:w-44">
        <Select
          label={t('Agent')}
          isLabelHidden
          choices={[
            { value: none, label: t('The router'), hint: t('Chooses a model') },
            ...agents.map(({ name, description }) => ({
              value: name,
              label: name,
              ...(description === '' ? {} : { hint: description }),
            })),
            ...(isGone ? [{ value: agent, label: agent, hint: t('Deleted') }] : []),
          ]}
          value={agent ?? none}
          onChange={(name) => chooseAgent(conversation, name === none ? null : name)}
        />
      </div>
    </div>
  )
}
