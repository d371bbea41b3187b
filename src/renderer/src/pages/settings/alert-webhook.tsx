import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { call } from '../../stores/client.ts'
import { saveSetting } from '../../stores/settings.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface AlertWebhookProps {
  /** Null when none is set. */
  url: string | null
  isPrivateAllowed: boolean
}

/** Where alerts about budgets are posted, with a test. */
export function AlertWebhook({ url, isPrivateAllowed }: AlertWebhookProps) {
  const [text, setText] = useState(url ?? '')
  const [isSent, setIsSent] = useState(false)
  const wanted = text.trim() === '' ? null : text.trim()
  const save = useAction(() => saveSetting('alertWebhook', wanted))
  const savePrivate = useAction((value: boolean) =>
    saveSetting('alertWebhookPrivateNetwork', value),
  )
  const test = useAction(async () => {
    setIsSent(false)
    await call('webhook:test')
    setIsSent(true)
  })
  const error = savePrivate.error ?? test.error
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        setIsSent(false)
        save.run()
      }}
    >
      <TextField
        label={t('Webhook for budget alerts')}
        hint={t(
          'Each alert is posted here as JSON, also while no window is open. Leave empty for none.',
        )}
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
      <Checkbox
        label={t('On my private network')}
        hint={t('Allows addresses such as 192.168.1.10, and http there.')}
        checked={isPrivateAllowed}
        onChange={savePrivate.run}
      />
      {error && <ErrorNote error={error} />}
    </form>
  )
}
