import { useState } from 'react'
import type { ApiKey } from '../../../../shared/entities.ts'
import { formatDay } from '../../../../shared/format.ts'
import type { RotationGrace } from '../../../../shared/key-rotation.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { useAction } from '../../components/use-action.ts'
import { rotateKey, type ShownKey } from '../../stores/keys.ts'

const graces: readonly { value: RotationGrace; label: string; hint: string }[] = [
  { value: '24h', label: '24 hours', hint: 'Time to update your programs' },
  { value: '1h', label: '1 hour', hint: 'For a program you can restart now' },
  { value: '0', label: 'Not at all', hint: 'If the key has leaked' },
]

interface RotateKeyDialogProps {
  apiKey: ApiKey
  onRotated: (shown: ShownKey) => void
  onClose: () => void
}

/** Replaces a key by one with the same rights. */
export function RotateKeyDialog({ apiKey, onRotated, onClose }: RotateKeyDialogProps) {
  const [grace, setGrace] = useState<RotationGrace>('24h')
  const { run, isRunning, error } = useAction(async () =>
    onRotated(await rotateKey(apiKey.id, grace)),
  )
  const { expiresAtMs } = apiKey
  return (
    <Dialog
      title={`Rotate ${apiKey.name}?`}
      description="You get a new key with the same routers, options and budgets. Both keys share one budget."
      onClose={onClose}
    >
      <RadioCards
        label="How long the old key keeps working"
        choices={graces}
        value={grace}
        onChange={setGrace}
      />
      {expiresAtMs !== null && (
        <p className="text-sm text-muted">
          The new key also expires on {formatDay(expiresAtMs)}. Create a key instead to choose
          another date.
        </p>
      )}
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={isRunning} onClick={() => run()}>
          Rotate key
        </Button>
      </div>
    </Dialog>
  )
}
