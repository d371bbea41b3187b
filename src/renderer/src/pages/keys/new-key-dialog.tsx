import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { SampleCallTabs } from '../../components/sample-calls.tsx'
import { Select } from '../../components/select.tsx'
import { useApp } from '../../stores/app.ts'
import type { ShownKey } from '../../stores/keys.ts'
import { useRouters } from '../../stores/routers.ts'
import { useSampleCalls } from '../../stores/sample-calls.ts'

/**
 * Shows a new key once. The key is written to the page outside React, which would keep it
 * after the dialog closes.
 */
export function NewKeyDialog({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
  const endpoint = useApp((state) => state.state?.endpoint)
  return (
    <Dialog
      title={`Key for ${shown.name}`}
      description="Copy the key now. Modelport does not store it and cannot show it again."
      onClose={onClose}
      isHeld
      isWide
    >
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2">
        <code
          aria-label="New key"
          className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all"
          ref={(element) => {
            if (element) element.textContent = shown.key
          }}
        />
        <CopyButton text={() => shown.key} what="key" label="Copy" />
      </div>
      {endpoint?.status === 'listening' && <FirstCall shown={shown} url={endpoint.url} />}
      <Button look="primary" className="self-end" onClick={onClose}>
        I have copied it
      </Button>
    </Dialog>
  )
}

/** A first call with the key, to one of the routers that accept it. */
function FirstCall({ shown, url }: { shown: ShownKey; url: string }) {
  const routers = useRouters((state) => state.items)
  const [chosen, setChosen] = useState<string | null>(null)
  const choices = (routers ?? [])
    .filter(({ id }) => shown.routers === 'all' || shown.routers.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }))
  const routerId = chosen ?? choices[0]?.value
  if (routerId === undefined) return null
  return (
    <section aria-label="Try the key" className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-medium">Try the key</h3>
        <div className="w-56">
          <Select
            label="Router"
            isLabelHidden
            choices={choices}
            value={routerId}
            onChange={setChosen}
          />
        </div>
      </div>
      <Samples routerId={routerId} url={url} readKey={() => shown.key} />
    </section>
  )
}

interface SamplesProps {
  routerId: string
  url: string
  readKey: () => string
}

function Samples({ routerId, url, readKey }: SamplesProps) {
  const { samples, error } = useSampleCalls(routerId, url)
  if (error) return <ErrorNote error={error} />
  if (!samples) return <p className="text-sm text-muted">Loading…</p>
  return <SampleCallTabs tools={samples.tools} readKey={readKey} />
}
