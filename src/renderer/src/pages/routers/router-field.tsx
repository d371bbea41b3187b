/** Fields of a router's form as its table describes them. */
import type { ReactNode } from 'react'
import { routerFields, type RouterField } from '../../../../shared/routers/router-fields.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorText, TextField } from '../../components/field.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { errorOf } from '../../stores/client.ts'
import { isUsed, type SwitchPath, type TypedPath } from './router-texts.ts'
import type { RouterFields } from './use-router-editor.ts'

interface TypedFieldProps extends RouterFields {
  path: TypedPath
  /** Below the hint, such as the effect that a limit would have had. */
  note?: ReactNode
}

/** A setting that is typed; nothing where it has no effect. */
export function TypedField({ path, note, texts, error, change }: TypedFieldProps) {
  const { kind, label, hint, placeholder, unit }: RouterField = routerFields[path]
  if (!isUsed(path, texts)) return null
  const shared = {
    label,
    hint: (hint !== undefined || note !== undefined) && (
      <>
        {hint} {note}
      </>
    ),
    placeholder,
    value: texts[path],
    error: errorOf(error, path),
  }
  const set = (text: string) => change({ [path]: text })
  if (kind === 'text' || kind === 'codes' || path === 'hedge.afterMs')
    return <TextField {...shared} onChange={({ target }) => set(target.value)} />
  return <NumberField {...shared} unit={unit} isWhole={kind === 'whole'} onChange={set} />
}

/** A setting that is on or off; nothing where it has no effect. */
export function SwitchField({ path, texts, error, change }: RouterFields & { path: SwitchPath }) {
  const { label, hint }: RouterField = routerFields[path]
  if (!isUsed(path, texts)) return null
  return (
    <div className="flex flex-col gap-1.5">
      <Checkbox
        label={label}
        hint={hint}
        checked={texts[path]}
        onChange={(checked) => change({ [path]: checked })}
      />
      <ErrorText>{errorOf(error, path)}</ErrorText>
    </div>
  )
}
