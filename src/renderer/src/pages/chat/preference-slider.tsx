import { preferences, type Preference } from '../../../../shared/chat/conversations.ts'
import { useAction } from '../../components/use-action.ts'
import { changeInstructions, useInstructions } from '../../stores/instructions.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** In the middle, the router decides. */
const stops: readonly (Preference | null)[] = [
  ...preferences.slice(0, 2),
  null,
  ...preferences.slice(2),
]

const labels: Readonly<Record<Preference, string>> = {
  cheapest: t('Cheapest'),
  cheaper: t('Cheaper'),
  better: t('Better'),
  best: t('Best'),
}

/** Moves the conversation's requests towards cheap or towards good models. */
export function PreferenceSlider({ conversation }: { conversation: string }) {
  const { systemPrompt, parameters } = useInstructions(conversation)
  const { run } = useAction(changeInstructions)
  const { preference: chosen = null, ...others } = parameters
  const words = chosen === null ? t('As the router decides') : labels[chosen]

  function choose(stop: number): void {
    const preference = stops[stop] ?? null
    run(conversation, {
      systemPrompt,
      parameters: { ...others, ...(preference && { preference }) },
    })
  }

  return (
    <label
      title={t('Cheap or best models for this conversation: {choice}', { choice: words })}
      className="flex h-7 shrink-0 items-center gap-2 text-xs text-muted"
    >
      <span aria-hidden>{t('Cheap')}</span>
      <input
        type="range"
        aria-label={t('Cheap or best models')}
        aria-valuetext={words}
        min={0}
        max={stops.length - 1}
        step={1}
        value={stops.indexOf(chosen)}
        onChange={({ target }) => choose(target.valueAsNumber)}
        className={`w-20 ${chosen === null ? 'accent-muted' : 'accent-accent'}`}
      />
      <span aria-hidden>{t('Best')}</span>
    </label>
  )
}
