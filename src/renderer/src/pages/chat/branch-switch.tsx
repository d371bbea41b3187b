import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ConversationMessage } from '../../../../shared/chat/conversations.ts'
import { IconButton } from '../../components/button.tsx'
import { showBranch } from '../../stores/branches.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface BranchSwitchProps {
  conversation: string
  shown: ConversationMessage
  /** The message and its siblings, oldest first. */
  siblings: readonly ConversationMessage[]
}

/** Steps through what stands in one place of a conversation: "‹ 2/3 ›". */
export function BranchSwitch({ conversation, shown, siblings }: BranchSwitchProps) {
  const place = siblings.indexOf(shown)
  if (siblings.length < 2 || place === -1) return null
  const isQuestion = shown.role === 'user'
  function step(by: 1 | -1): void {
    const next = siblings[place + by]
    if (next) void showBranch(conversation, next)
  }
  return (
    <span
      role="group"
      aria-label={isQuestion ? t('Versions of the question') : t('Versions of the answer')}
      className="flex shrink-0 items-center text-xs text-muted tabular-nums"
    >
      <IconButton label={t('Previous version')} disabled={place === 0} onClick={() => step(-1)}>
        <ChevronLeft size={14} aria-hidden />
      </IconButton>
      {place + 1}/{siblings.length}
      <IconButton
        label={t('Next version')}
        disabled={place === siblings.length - 1}
        onClick={() => step(1)}
      >
        <ChevronRight size={14} aria-hidden />
      </IconButton>
    </span>
  )
}
