/** Settings with the control that their table describes. */
import { useState, type ReactNode } from 'react'
import {
  settingCards,
  type SettingCardName,
  type SettingField,
} from '../../../../shared/app/settings-sections.ts'
import {
  settingEntries,
  settings as settingFields,
  type SettingName,
  type Settings,
} from '../../../../shared/app/settings.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorText } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { changeSetting } from '../../stores/settings.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { SettingCard } from './setting-card.tsx'

interface SettingsCardProps {
  card: SettingCardName
  settings: Settings
  /** Above the settings. */
  intro?: ReactNode
  /** Below the settings. */
  children?: ReactNode
}

/** A card with its settings, in the order of the table. */
export function SettingsCard({ card, settings, intro, children }: SettingsCardProps) {
  return (
    <SettingCard title={settingCards[card]}>
      {intro}
      {settingEntries.map(
        ([name, field]) => field.card === card && <Setting key={name} {...{ name, settings }} />,
      )}
      {children}
    </SettingCard>
  )
}

interface SettingProps {
  name: SettingName
  settings: Settings
  /** Hint in place of the table's. */
  hint?: string | undefined
}

/** A switch, a number or a choice among a few; other values need a control of their own. */
export function Setting({ name, settings, hint }: SettingProps) {
  const field: SettingField = settingFields[name]
  const value = settings[name]
  const shared = { name, field: { ...field, hint: hint ?? field.hint } }
  if (field.choices && typeof value === 'string') return <ChoiceSetting {...shared} value={value} />
  if (typeof value === 'boolean') return <SwitchSetting {...shared} value={value} />
  // A new key takes over a value that was changed elsewhere.
  if (typeof value === 'number') return <NumberSetting key={value} {...shared} value={value} />
  return null
}

interface ControlProps<Value> {
  name: SettingName
  field: Omit<SettingField, 'hint'> & { hint: string | undefined }
  value: Value
}

/** Saves at once. */
function SwitchSetting({ name, field: { label, hint }, value }: ControlProps<boolean>) {
  const { run, error } = useAction((isOn: boolean) => changeSetting(name, isOn))
  return (
    <div>
      <Checkbox {...{ label, hint }} checked={value} onChange={run} />
      <ErrorText>{error?.message}</ErrorText>
    </div>
  )
}

/** Saves at once. */
function ChoiceSetting({ name, field: { label, choices = [] }, value }: ControlProps<string>) {
  const { run, error } = useAction((chosen: string) => changeSetting(name, chosen))
  return (
    <RadioCards
      {...{ label, choices, value }}
      isWide={choices.some(({ hint }) => hint !== undefined)}
      error={error?.message ?? null}
      onChange={run}
    />
  )
}

/** A number with a button that saves it. */
function NumberSetting({ name, field, value }: ControlProps<number>) {
  const { label, unit, hint, schema } = field
  const saved = String(value)
  const [text, setText] = useState(saved)
  const { run, isRunning, error } = useAction((chosen: number | null) =>
    changeSetting(name, chosen),
  )
  return (
    <Form className="flex items-start gap-3" onSubmit={() => run(readNumber(text))}>
      <div className="w-72 min-w-0">
        <NumberField
          {...{ label, unit, hint }}
          isWhole={!schema.safeParse(0.5).success}
          value={text}
          error={error?.message}
          onChange={setText}
        />
      </div>
      {text.trim() !== saved && (
        <Button type="submit" className="mt-6" disabled={isRunning}>
          {t('Save')}
        </Button>
      )}
    </Form>
  )
}
