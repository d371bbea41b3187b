import { X } from 'lucide-react'
import { t } from '../../../../shared/strings/strings.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { useInstructions } from '../../stores/instructions.ts'
import { leavePreset, takePreset, usePresetChange } from '../../stores/preset-changes.ts'

/** Says that the preset which the conversation began from has changed since; nothing otherwise. */
export function PresetChange(of: { conversation: string; routerId: string }) {
  const instructions = useInstructions(of.conversation)
  const preset = usePresetChange(of)
  const take = useAction(takePreset)
  const leave = useAction(leavePreset)
  if (!preset) return null
  const error = take.error ?? leave.error
  return (
    <div className="mx-auto flex w-full max-w-3xl shrink-0 flex-wrap items-center gap-x-1 px-4 text-xs text-muted min-[80rem]:px-6">
      <p className="min-w-0 px-2 wrap-anywhere">
        {t('The preset “{name}” has changed since.', { name: preset.name })}
      </p>
      <Button size="small" look="quiet" onClick={() => take.run({ ...of, instructions }, preset)}>
        {t('Take its new values')}
      </Button>
      <IconButton
        label={t('Keep the values of this conversation')}
        onClick={() => leave.run({ ...of, instructions }, preset)}
      >
        <X size={13} aria-hidden />
      </IconButton>
      {error && <ErrorNote error={error} />}
    </div>
  )
}
