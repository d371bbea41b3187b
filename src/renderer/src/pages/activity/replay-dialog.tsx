import { useState } from 'react'
import type { RequestRecord } from '../../../../shared/entities.ts'
import type { Preview } from '../../../../shared/routers/preview.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { PreviewExplanation } from '../../decision/preview-dialog.tsx'
import { call } from '../../stores/client.ts'
import { useRouters } from '../../stores/routers.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ReplayDialogProps {
  request: RequestRecord
  onClose: () => void
}

/** Shows the model that another router would choose for a past request. */
export function ReplayDialog({ request, onClose }: ReplayDialogProps) {
  const routers = useRouters((state) => state.items) ?? []
  const [routerId, setRouterId] = useState<string | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const { run, isRunning, error } = useAction(async (chosen: string) => {
    setPreview(null)
    setPreview(await call('requests:preview', { id: request.id, routerId: chosen }))
  })
  return (
    <Dialog
      title={t('Replay on another router')}
      description={t(
        'Shows which model the router would choose today. Nothing is sent, counted or billed.',
      )}
      isWide
      onClose={onClose}
    >
      <div className="max-w-72">
        <Select
          label={t('Router')}
          choices={routers.map(({ id, name }) => ({ value: id, label: name }))}
          value={routerId}
          onChange={(chosen) => {
            setRouterId(chosen)
            run(chosen)
          }}
        />
      </div>
      <div aria-live="polite" aria-busy={isRunning} className="flex flex-col gap-4">
        {error && <ErrorNote error={error} />}
        {preview && (
          <>
            <p className="text-sm text-muted">
              {rich('Then: {model}. Now it would be:', {
                model: request.modelUsed ?? t('no model'),
              })}
            </p>
            <PreviewExplanation preview={preview} />
          </>
        )}
      </div>
    </Dialog>
  )
}
