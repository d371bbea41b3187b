import type { Settings } from '../../../../shared/settings.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import type { Choice } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'

const durabilities: readonly Choice<Settings['durability']>[] = [
  {
    value: 'fast',
    label: 'Fast',
    hint: 'Written a few milliseconds after the answer. A crash can lose the last records.',
  },
  {
    value: 'strict',
    label: 'Strict',
    hint: 'Written to disk before the answer ends. Every answer waits for the disk.',
  },
]

type RequestSettingsProps = Pick<Settings, 'durability' | 'fastLane' | 'promptCaching'>

/** How the endpoint serves requests and stores their records. */
export function RequestSettings({ durability, fastLane, promptCaching }: RequestSettingsProps) {
  const saveDurability = useAction((value: Settings['durability']) =>
    saveSetting('durability', value),
  )
  const saveFastLane = useAction((value: boolean) => saveSetting('fastLane', value))
  const savePromptCaching = useAction((value: boolean) => saveSetting('promptCaching', value))
  const error = saveDurability.error ?? saveFastLane.error ?? savePromptCaching.error
  return (
    <>
      <RadioCards
        label="Request records"
        choices={durabilities}
        value={durability}
        onChange={saveDurability.run}
        isWide
      />
      <Checkbox
        label="Serve ordinary chat requests on the fast path"
        hint="When off, the general HTTP server handles every request. Answers are the same, a little later."
        checked={fastLane}
        onChange={saveFastLane.run}
      />
      <Checkbox
        label="Mark prompts for the vendor’s cache"
        hint="For vendors such as Anthropic, where repeated prompts cost less only if they are marked. Conversations that go on are marked."
        checked={promptCaching}
        onChange={savePromptCaching.run}
      />
      {error && <ErrorNote error={error} />}
    </>
  )
}
