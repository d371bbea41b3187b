import { useState } from 'react'
import type { ProviderType } from '../../../../../shared/models/provider-type.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Loaded } from '../../../components/page.tsx'
import { useProviderTypes } from '../../../stores/providers.ts'
import { AddedDialog } from './added-dialog.tsx'
import type { AddedProvider } from './added-provider.ts'
import { ConnectStep } from './connect-step.tsx'
import { TypeGrid } from './type-grid.tsx'
import { t } from '../../../../../shared/strings/strings.ts'

interface AddProviderProps {
  /** The type to begin with; the grid of all types when it is unknown. */
  type: string
  onClose: () => void
}

/** Adds a provider: its type, its key, and its models. */
export function AddProviderDialog({ type, onClose }: AddProviderProps) {
  const types = useProviderTypes()
  const [chosen, setChosen] = useState(type)
  const [added, setAdded] = useState<AddedProvider | null>(null)
  const shown = types.items?.find((candidate) => candidate.type === chosen && !candidate.isLocal)
  if (added) return <AddedDialog added={added} onClose={onClose} />
  if (shown) {
    return (
      <Dialog
        key={shown.type}
        title={t('Add {name}', { name: shown.name })}
        onClose={onClose}
        isHeld
      >
        <ConnectStep
          type={shown}
          onBack={() => setChosen('')}
          onAdded={setAdded}
          onAddedUntested={onClose}
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={t('Add provider')}
      description={t('We test the connection, then list its models for your routers.')}
      onClose={onClose}
      isWide
    >
      <Loaded list={types} what={t('provider types')}>
        {(items: readonly ProviderType[]) => (
          <TypeGrid
            types={items.filter(({ isLocal }) => !isLocal)}
            onChoose={setChosen}
            onAdded={setAdded}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
