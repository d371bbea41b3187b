import { useState } from 'react'
import type { SettingName, Settings } from '../../../../shared/app/settings.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorText } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'
import { t } from '../../../../shared/strings/strings.ts'

type NamesOf<Value> = {
  [Name in SettingName]: Settings[Name] extends Value ? Name : never
}[SettingName]

interface SettingProps<Name extends SettingName> {
  settings: Settings
  name: Name
  label: string
  hint?: string
}

/** A switch that saves at once. */
export function SwitchSetting({ settings, name, ...texts }: SettingProps<NamesOf<boolean>>) {
  const { run, error } = useAction((isOn: boolean) => saveSetting(name, isOn))
  return (
    <div>
      <Checkbox {...texts} checked={settings[name]} onChange={run} />
      <ErrorText>{error?.message}</ErrorText>
    </div>
  )
}

type NumberSettingProps = SettingProps<NamesOf<number | null>> & {
  unit?: string
  /** Shown while there is no value. */
  placeholder?: string
}

/** A whole number with a button that saves it. */
export function NumberSetting(props: NumberSettingProps) {
  // A new key takes over a value that was changed elsewhere.
  return <NumberForm key={props.settings[props.name]} {...props} />
}

function NumberForm({ settings, name, ...field }: NumberSettingProps) {
  const saved = settings[name]?.toString() ?? ''
  const [text, setText] = useState(saved)
  const { run, isRunning, error } = useAction((value: number | null) => saveSetting(name, value))
  return (
    <form
      className="flex items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        run(readNumber(text))
      }}
    >
      <div className="w-72 min-w-0">
        <NumberField {...field} isWhole value={text} error={error?.message} onChange={setText} />
      </div>
      {text.trim() !== saved && (
        <Button type="submit" className="mt-6" disabled={isRunning}>
          {t('Save')}
        </Button>
      )}
    </form>
  )
}
