import { useState } from 'react'
import type { ApiKey } from '../../../../shared/entities.ts'
import { formatDay } from '../../../../shared/strings/format.ts'
import type { RotationGrace } from '../../../../shared/app/key-rotation.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { useAction } from '../../components/use-action.ts'
import { rotateKey, type ShownKey } from '../../stores/keys.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

const graces: readonly { value: RotationGrace; label: string; hint: string }[] = [
  { value: '24h', label: t('24 hours'), hint: t('Time to update your programs') },
  { value: '1h', label: t('1 hour'), hint: t('For a program you can restart now') },
  { value: '0', label: t('Not at all'), hint: t('If the key has leaked') },
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
      title={t('Rotate {name}?', { name: apiKey.name })}
      description={t(
        'You get a new key with the same routers, options and budgets. Both keys share one budget.',
      )}
      onClose={onClose}
    >
      <RadioCards
        label={t('How long the old key keeps working')}
        choices={graces}
        value={grace}
        onChange={setGrace}
      />
      {expiresAtMs !== null && (
        <p className="text-sm text-muted">
          {rich(
            'The new key also expires on {expiresAtMs}. Create a key instead to choose another date.',
            { expiresAtMs: formatDay(expiresAtMs) },
          )}
        </p>
      )}
      {error && <ErrorNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="primary" disabled={isRunning} onClick={() => run()}>
          {t('Rotate key')}
        </Button>
      </div>
    </Dialog>
  )
}
