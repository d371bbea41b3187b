import { Dialog } from '../../../components/dialog.tsx'
import type { AddedProvider } from './added-provider.ts'
import { ModelsStep } from './models-step.tsx'
import { t } from '../../../../../shared/strings/strings.ts'

/** The last step after a provider was added: its models, and a router for them. */
export function AddedDialog({ added, onClose }: { added: AddedProvider; onClose: () => void }) {
  return (
    <Dialog
      title={t('{id} is connected', { id: added.provider.id })}
      description={t(
        'Choose models for a router. For each request it uses the one with the best balance of cost, speed and quality.',
      )}
      onClose={onClose}
      isWide
      isHeld
    >
      <ModelsStep {...added} onClose={onClose} />
    </Dialog>
  )
}
