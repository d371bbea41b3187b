import { useState } from 'react'
import { settings as fields, type Settings } from '../../../../shared/app/settings.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { call } from '../../stores/client.ts'
import { saveSetting } from '../../stores/settings.ts'
import { Setting } from './setting-fields.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Sets the address to which alerts about budgets are posted, with a test. */
export function AlertWebhook({ settings }: { settings: Settings }) {
  const { alertWebhook: url } = settings
  const [text, setText] = useState(url ?? '')
  const [isSent, setIsSent] = useState(false)
  const wanted = text.trim() === '' ? null : text.trim()
  const save = useAction(() => saveSetting('alertWebhook', wanted))
  const test = useAction(async () => {
    setIsSent(false)
    await call('webhook:test')
    setIsSent(true)
  })
  return (
    <Form
      className="flex flex-col gap-3"
      onSubmit={() => {
        setIsSent(false)
        save.run()
      }}
    >
      <TextField
        label={fields.alertWebhook.label}
        hint={fields.alertWebhook.hint}
        placeholder="https://hooks.example.com/budget"
        value={text}
        error={save.error?.message}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" size="small" disabled={save.isRunning || wanted === url}>
          {t('Save webhook')}
        </Button>
        <Button
          size="small"
          disabled={url === null || wanted !== url || test.isRunning}
          onClick={() => test.run()}
        >
          {t('Send a test')}
        </Button>
        <span role="status" className="text-xs text-muted">
          {isSent && t('The webhook accepted the test.')}
        </span>
      </div>
      <Setting name="alertWebhookPrivateNetwork" settings={settings} />
      {test.error && <ErrorNote error={test.error} />}
    </Form>
  )
}
