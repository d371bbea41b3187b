import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Provider } from '../../../../shared/entities.ts'
import { builtInProvider } from '../../../../shared/models/provider-type.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { LocalModelCard } from '../../components/local-model-card.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { removeProvider, useProviders } from '../../stores/providers.ts'
import { useReport } from '../../stores/reports.ts'
import { rangeAt } from '../../usage/range.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { AddProviderDialog } from './add/add-provider-dialog.tsx'
import { ModelsStep } from './add/models-step.tsx'
import { EditProviderDialog } from './edit-provider-dialog.tsx'
import { FoundServers } from './found-servers.tsx'
import { healthOf } from './health-days.ts'
import { LocalModels } from './local-models.tsx'
import { ModelTabs } from './model-tabs.tsx'
import { ProbeDialog } from './probe-dialog.tsx'
import { ProviderCard, type ProviderAction } from './provider-card.tsx'
import { ProviderKeysDialog } from './provider-keys-dialog.tsx'
import { ReplaceKeyDialog } from './replace-key-dialog.tsx'
import { SecretsBanner } from './secrets-banner.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The built-in model and all added providers. */
export function ProviderList() {
  const providers = useProviders()
  // The address says which type is added (`?add=openai`), so that other pages can link to it.
  const { add: adding } = useAddressSearch()
  const setSearch = useSetSearch()
  const startAdding = () => setSearch({ add: 'any' })
  const isEmpty = providers.items?.every(({ type }) => type === builtInProvider.type) ?? false
  const [opened, setOpened] = useState<OpenedDialog | null>(null)
  const add = (
    <Button look="primary" onClick={startAdding}>
      <Plus size={15} aria-hidden /> {t('Add provider')}
    </Button>
  )
  return (
    <Page title={t('Models')} actions={isEmpty ? null : add} width="wide">
      {/* At the height at which the view of the models has them. */}
      <div className="-mt-2">
        <ModelTabs open="providers" />
      </div>
      <SecretsBanner />
      <Loaded list={providers} what={t('providers')}>
        {(items) => {
          // The built-in provider has a card of its own.
          const remote = items.filter(({ type }) => type !== builtInProvider.type)
          return remote.length === 0 ? (
            <EmptyState icon={Plug} title={t('No other providers yet')} action={add}>
              {t('Add a provider to use its models in your routers.')}
            </EmptyState>
          ) : (
            <ProviderCards
              providers={remote}
              onOpen={(provider, dialog) => setOpened({ dialog, provider })}
            />
          )
        }}
      </Loaded>
      <h2 className="mt-2 text-sm font-medium text-muted">{t('On this computer')}</h2>
      <div className="grid grid-cols-1 items-start gap-3 min-[72rem]:grid-cols-2">
        <LocalModelCard onAddProvider={startAdding} />
        <FoundServers />
      </div>
      <LocalModels />
      {adding !== undefined && (
        <AddProviderDialog type={adding} onClose={() => setSearch({ add: undefined })} />
      )}
      {opened && <ProviderDialog {...opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

interface ProviderCardsProps {
  providers: readonly Provider[]
  onOpen: (provider: Provider, dialog: ProviderAction) => void
}

function ProviderCards({ providers, onOpen }: ProviderCardsProps) {
  const range = rangeAt('30d', useNow())
  const { fromMs, toMs, bucketMs, offsetMs } = range
  const { report } = useReport({ fromMs, toMs, bucketMs, offsetMs, group: 'provider' })
  return (
    <ul className="grid grid-cols-1 gap-3 min-[64rem]:grid-cols-2 min-[96rem]:grid-cols-3">
      {providers.map((provider) => (
        <ProviderCard
          key={provider.id}
          provider={provider}
          health={report && healthOf(provider.id, { report, range })}
          onOpen={(dialog) => onOpen(provider, dialog)}
        />
      ))}
    </ul>
  )
}

interface OpenedDialog {
  dialog: ProviderAction
  provider: Provider
}

function ProviderDialog({ dialog, provider, onClose }: OpenedDialog & { onClose: () => void }) {
  switch (dialog) {
    case 'edit':
      return <EditProviderDialog {...{ provider, onClose }} />
    case 'models':
      return (
        <Dialog
          title={t('Models of {id}', { id: provider.id })}
          description={t('Set the prices of models that have none, or create a router.')}
          onClose={onClose}
          isWide
        >
          <ModelsStep provider={provider} listed={null} onClose={onClose} />
        </Dialog>
      )
    case 'replace-key':
      return <ReplaceKeyDialog {...{ provider, onClose }} />
    case 'keys':
      return <ProviderKeysDialog {...{ provider, onClose }} />
    case 'probe':
      return <ProbeDialog {...{ provider, onClose }} />
    case 'delete':
      return (
        <ConfirmDialog
          title={t('Delete {id}?', { id: provider.id })}
          description={t(
            'This also deletes its keys from the keychain. Routers can no longer use its models.',
          )}
          action={t('Delete provider')}
          onConfirm={() => removeProvider(provider.id)}
          onClose={onClose}
        />
      )
  }
}
