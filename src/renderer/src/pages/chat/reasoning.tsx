import { useEffect } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import { loadExplained, useExplained } from '../../stores/explained.ts'
import { openReasoning, useReasonings } from '../../stores/reasonings.ts'
import { reasoningWords } from './reasoning-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What the model thought before it answered, folded; nothing without any. */
export function Reasoning({ message }: { message: ConversationMessage }) {
  const { id: messageId } = message
  const reasoning = useReasonings((known) => known[messageId])
  const isThere = reasoning !== undefined
  const requestIds = requestIdsOf(message)
  const ids = requestIds.join(' ')
  const explained = useExplained(useShallow((known) => requestIds.map((id) => known[id])))
  useEffect(() => {
    if (isThere && ids !== '') for (const id of ids.split(' ')) void loadExplained(id)
  }, [isThere, ids])
  if (!isThere) return null
  const known = explained.flatMap((each) => (each?.kind === 'known' ? each.request : []))
  return (
    <details
      className="rounded-lg border border-line px-3 py-1.5 text-sm text-muted"
      open={reasoning.isOpen}
      onToggle={(event) => openReasoning(messageId, event.currentTarget.open)}
    >
      <summary className="cursor-pointer text-xs tabular-nums">
        <span className="font-medium">{t('Reasoning')}</span>{' '}
        {known.length === requestIds.length && <span>{reasoningWords(known)}</span>}
      </summary>
      {reasoning.isOpen && (
        <p className="mt-2 wrap-anywhere whitespace-pre-wrap">{reasoning.text.trim()}</p>
      )}
    </details>
  )
}

/** The requests of an answer that has ended; none for agents. With calls of tools, it takes several. */
function requestIdsOf({ meta, toolSteps }: ConversationMessage): string[] {
  if (meta === null) return []
  return [...new Set([...toolSteps.map(({ requestId }) => requestId), meta.requestId])]
}
