import { useState } from 'react'
import { settings, type Settings } from '../../../../shared/app/settings.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { saveSetting } from '../../stores/settings.ts'
import { t } from '../../../../shared/strings/strings.ts'

type Proxy = Settings['outboundProxy']

/** The proxy for provider requests. An app started from its icon has no environment variables for it. */
export function OutboundProxy({ proxy }: { proxy: Proxy }) {
  const [text, setText] = useState(proxy ?? '')
  const { run, isRunning, error } = useAction((value: Proxy) => saveSetting('outboundProxy', value))
  const wanted = text.trim()
  return (
    <Form className="flex items-start gap-3" onSubmit={() => run(wanted === '' ? null : wanted)}>
      <div className="w-96">
        <TextField
          label={settings.outboundProxy.label}
          hint={settings.outboundProxy.hint}
          placeholder={t('Use HTTPS_PROXY')}
          value={text}
          error={error?.message}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit" className="mt-6" disabled={isRunning || wanted === (proxy ?? '')}>
        {t('Save proxy')}
      </Button>
    </Form>
  )
}
