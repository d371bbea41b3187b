import { Wrench } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ToolOffer } from '../../../../shared/chat/tool-approvals.ts'
import { formatTokens, formatUsd } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { useAction } from '../../components/use-action.ts'
import { newConversation } from '../../stores/chat.ts'
import { changeInstructions, useInstructions } from '../../stores/instructions.ts'
import { readOffer, useMcpServers } from '../../stores/mcp-servers.ts'

/** Lets models call the tools of MCP servers in this conversation. Hidden without a server. */
export function ToolsSwitch({
  conversation,
  routerId,
}: {
  conversation: string
  routerId: string
}) {
  const { items, load } = useMcpServers()
  const { systemPrompt, parameters } = useInstructions(conversation)
  const { run } = useAction(changeInstructions)
  const isOn = parameters.tools === true
  const offer = useOffer({ conversation, routerId, isOn, items })
  useEffect(() => void load(), [load])
  if (!items?.some(({ hasConsent }) => hasConsent) && !isOn) return null
  return (
    <Button
      look="quiet"
      size="small"
      aria-pressed={isOn}
      title={titleOf(offer)}
      className="aria-pressed:bg-accent-soft"
      onClick={() =>
        run(conversation, { systemPrompt, parameters: { ...parameters, tools: !isOn } })
      }
    >
      <Wrench size={13} aria-hidden /> {isOn && offer ? wordsOf(offer) : t('Tools')}
    </Button>
  )
}

interface OfferInput {
  conversation: string
  routerId: string
  isOn: boolean
  /** The offer changes with the servers. */
  items: unknown
}

function useOffer({ conversation, routerId, isOn, items }: OfferInput): ToolOffer | null {
  const [offer, setOffer] = useState<ToolOffer | null>(null)
  useEffect(() => {
    if (!isOn) return
    let isCurrent = true
    const conversationId = conversation === newConversation ? null : conversation
    const show = (read: ToolOffer | null) => isCurrent && setOffer(read)
    void readOffer(conversationId, routerId).then(show)
    return () => void (isCurrent = false)
  }, [conversation, routerId, isOn, items])
  return offer
}

function wordsOf({ tools, tokens, costUsd }: ToolOffer): string {
  if (tools === 0) return t('No tools')
  return joinWords([
    t('{count, plural, one {# tool} other {# tools}}', { count: tools }),
    t('{tokens} tokens', { tokens: formatTokens(tokens) }),
    costUsd === null ? '' : formatUsd(costUsd),
  ])
}

function titleOf(offer: ToolOffer | null): string {
  if (offer === null) return t('Let models call the tools of your MCP servers')
  if (offer.tools === 0) return t('No tool is approved. Look at your servers in Settings, Tools.')
  const cost =
    offer.costUsd === null
      ? ''
      : t('They add about {cost} to each request.', { cost: formatUsd(offer.costUsd) })
  const search = offer.isOnDemand
    ? t('All of them would take more than 2 % of the context, so models search for them.')
    : ''
  return [cost, search].filter(Boolean).join(' ')
}
