import { useState } from 'react'
import type { Settings } from '../../../../shared/settings.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'

type Proxy = Settings['outboundProxy']

/** How providers are reached: an app started by its icon has no environment to name a proxy in. */
export function OutboundProxy({ proxy }: { proxy: Proxy }) {
  const [text, setText] = useState(proxy ?? '')
  const { run, isRunning, error } = useAction((value: Proxy) => saveSetting('outboundProxy', value))
  const wanted = text.trim()
  return (
    <form
      className="flex items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        run(wanted === '' ? null : wanted)
      }}
    >
      <div className="w-96">
        <TextField
          label="Proxy to the providers"
          hint="For instance http://proxy.example.com:3128. Empty takes the environment’s HTTPS_PROXY, “direct” none."
          placeholder="as the environment says"
          value={text}
          error={error?.message}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit" className="mt-6" disabled={isRunning || wanted === (proxy ?? '')}>
        Save proxy
      </Button>
    </form>
  )
}
