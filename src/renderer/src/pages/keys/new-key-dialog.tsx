import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { curlSnippet } from '../../snippets.ts'
import { useApp } from '../../stores/app.ts'
import type { ShownKey } from '../../stores/keys.ts'
import { useRouters } from '../../stores/routers.ts'

/**
 * Shows a new key once. The key is written to the page outside React, which would keep it
 * after the dialog closes.
 */
export function NewKeyDialog({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
  const endpoint = useApp((state) => state.state?.endpoint)
  const routerId = useRouters((state) => state.items?.[0]?.id)
  return (
    <Dialog
      title={`Key for ${shown.name}`}
      description="Copy the key now. Modelport does not store it and cannot show it again."
      onClose={onClose}
      isHeld
    >
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2">
        <code
          aria-label="New key"
          className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all"
          ref={(element) => {
            if (element) element.textContent = shown.key
          }}
        />
        <CopyButton text={() => shown.key} what="key" isWorded />
      </div>
      {endpoint?.status === 'listening' && routerId !== undefined && (
        <div className="flex flex-col gap-2">
          <p className="text-sm text-muted">
            Set the environment variable <code className="font-mono">MODELPORT_API_KEY</code> to the
            key, then run:
          </p>
          <Snippet code={curlSnippet({ ...endpoint, routerId })} what="curl call" />
        </div>
      )}
      <Button look="primary" className="self-end" onClick={onClose}>
        I have copied it
      </Button>
    </Dialog>
  )
}
