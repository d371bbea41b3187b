import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { useInstructions } from '../../stores/instructions.ts'
import { InstructionsDialog } from './instructions-dialog.tsx'
import { instructionsWords } from './instructions-words.ts'
import { PreferenceSlider } from './preference-slider.tsx'
import { useAgent } from './use-agent.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What the conversation tells each model, in one line. A click changes it. */
export function InstructionsLine({
  conversation,
  router,
}: {
  conversation: string
  router: Router
}) {
  const words = instructionsWords(useInstructions(conversation))
  const agent = useAgent(conversation)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="mx-auto flex w-full max-w-3xl shrink-0 justify-between gap-3 px-4 pt-1.5 min-[80rem]:px-6">
      <button
        type="button"
        data-chat-control="instructions"
        aria-haspopup="dialog"
        aria-label={words === '' ? undefined : t('Instructions: {words}', { words })}
        title={words === '' ? undefined : words.slice(0, 1000)}
        onClick={() => setIsOpen(true)}
        className="flex h-7 min-w-0 items-center gap-2 rounded-md px-2 text-xs text-muted hover:bg-hover"
      >
        <SlidersHorizontal size={13} aria-hidden className="shrink-0" />
        <span className="truncate">{words === '' ? t('Add instructions') : words}</span>
      </button>
      {agent === null && <PreferenceSlider conversation={conversation} />}
      {isOpen && (
        <InstructionsDialog {...{ conversation, router }} onClose={() => setIsOpen(false)} />
      )}
    </div>
  )
}
