import { useEffect } from 'react'
import type { AnswerMeta } from '../../../../shared/chat/conversations.ts'
import { loadExplained, useExplained } from '../../stores/explained.ts'
import { openReasoning, useReasonings } from '../../stores/reasonings.ts'
import { reasoningWords } from './reasoning-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface ReasoningProps {
  messageId: string
  /** Null until the answer has ended, and for agents. */
  meta: AnswerMeta | null
}

/** What the model thought before it answered, folded; nothing without any. */
export function Reasoning({ messageId, meta }: ReasoningProps) {
  const reasoning = useReasonings((known) => known[messageId])
  const isThere = reasoning !== undefined
  const requestId = meta?.requestId
  const explained = useExplained((known) =>
    requestId === undefined ? undefined : known[requestId],
  )
  useEffect(() => {
    if (isThere && requestId !== undefined) void loadExplained(requestId)
  }, [isThere, requestId])
  if (!isThere) return null
  return (
    <details
      className="rounded-lg border border-line px-3 py-1.5 text-sm text-muted"
      open={reasoning.isOpen}
      onToggle={(event) => openReasoning(messageId, event.currentTarget.open)}
    >
      <summary className="cursor-pointer text-xs tabular-nums">
        <span className="font-medium">{t('Reasoning')}</span>{' '}
        {explained?.kind === 'known' && <span>{reasoningWords(explained.request)}</span>}
      </summary>
      {reasoning.isOpen && (
        <p className="mt-2 wrap-anywhere whitespace-pre-wrap">{reasoning.text.trim()}</p>
      )}
    </details>
  )
}
