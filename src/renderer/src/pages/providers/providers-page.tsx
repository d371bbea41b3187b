import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Provider } from '../../../../shared/entities.ts'
import { builtInProvider } from '../../../../shared/provider-type.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { LocalModelCard } from '../../components/local-model-card.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { removeProvider, useProviders } from '../../stores/providers.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { AddProviderDialog } from './add/add-provider-dialog.tsx'
import { EditProviderDialog } from './edit-provider-dialog.tsx'
import { FoundServers } from './found-servers.tsx'
import { LocalModels } from './local-models.tsx'
import { ProviderCard, type ProviderAction } from './provider-card.tsx'
import { ProviderKeysDialog } from './provider-keys-dialog.tsx'
import { ReplaceKeyDialog } from './replace-key-dialog.tsx'
import { SecretsBanner } from './secrets-banner.tsx'

/** The built-in model and all added providers. */
export function ProvidersPage() {
  const providers = useProviders()
  // The address says which type is added (`?add=openai`), so that other pages can link to it.
  const { add: adding } = useAddressSearch()
  const setSearch = useSetSearch()
  const startAdding = () => setSearch({ add: 'any' })
  const [opened, setOpened] = useState<OpenedDialog | null>(null)
  const add = (
    <Button look="primary" onClick={startAdding}>
      <Plus size={15} aria-hidden /> Add provider
    </Button>
  )
  return (
    <Page
      title="Providers"
      intro="Providers run your models. Keys stay in your keychain and are never shown again."
      actions={add}
    >
      <SecretsBanner />
      <LocalModelCard onAddProvider={startAdding} />
      <LocalModels />
      <FoundServers />
      <Loaded list={providers} what="providers">
        {(items) => {
          // The built-in provider has a card of its own.
          const remote = items.filter(({ type }) => type !== builtInProvider.type)
          return remote.length === 0 ? (
            <EmptyState icon={Plug} title="No other providers yet" action={add}>
              Add a provider to use its models in your routers.
            </EmptyState>
          ) : (
            <ul className="grid grid-cols-1 gap-3 min-[64rem]:grid-cols-2">
              {remote.map((provider) => (
                <ProviderCard
                  key={provider.id}
                  provider={provider}
                  onOpen={(dialog) => setOpened({ dialog, provider })}
                />
              ))}
            </ul>
          )
        }}
      </Loaded>
      {adding !== undefined && (
        <AddProviderDialog type={adding} onClose={() => setSearch({ add: undefined })} />
      )}
      {opened && <ProviderDialog {...opened} onClose={() => setOpened(null)} />}
    </Page>
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
    case 'replace-key':
      return <ReplaceKeyDialog {...{ provider, onClose }} />
    case 'keys':
      return <ProviderKeysDialog {...{ provider, onClose }} />
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete ${provider.id}?`}
          description="This also deletes its keys from the keychain. Routers can no longer use its models."
          action="Delete provider"
          onConfirm={() => removeProvider(provider.id)}
          onClose={onClose}
        />
      )
  }
}
