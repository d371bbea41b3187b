import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface ListSettingProps {
  /** The name of one entry: "Host name". */
  label: string
  hint: string
  placeholder: string
  values: readonly string[]
  save: (values: string[]) => Promise<void>
}

/** A list of short texts. Each can be removed; a field adds one. */
export function ListSetting({ label, hint, placeholder, values, save }: ListSettingProps) {
  const [text, setText] = useState('')
  const { run, isRunning, error } = useAction(save)
  const added = text.trim()
  const add = useAction(async () => {
    await save([...values, added])
    setText('')
  })
  return (
    <div className="flex flex-col gap-2">
      {values.length > 0 && (
        <ul aria-label={`${label}s`} className="flex flex-col gap-1">
          {values.map((value) => (
            <li key={value} className="flex items-center gap-3">
              <code className="min-w-0 flex-1 truncate font-mono text-xs" title={value}>
                {value}
              </code>
              <Button
                size="small"
                aria-label={t('Remove {entry}', { entry: value })}
                disabled={isRunning}
                onClick={() => run(values.filter((other) => other !== value))}
              >
                {t('Remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Form className="flex items-start gap-3" onSubmit={() => add.run()}>
        <div className="w-96 min-w-0">
          <TextField
            label={label}
            hint={hint}
            placeholder={placeholder}
            value={text}
            error={add.error?.message ?? error?.message}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Button
          type="submit"
          className="mt-6"
          disabled={add.isRunning || added === '' || values.includes(added)}
        >
          {t('Add')}
        </Button>
      </Form>
    </div>
  )
}
