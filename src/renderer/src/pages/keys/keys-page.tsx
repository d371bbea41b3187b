import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { forgetKey, revokeKey, useKeys, type ShownKey } from '../../stores/keys.ts'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

/** The keys by which programs call the routers. */
export function KeysPage() {
  const keys = useKeys()
  const [isCreating, setIsCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const [shown, setShown] = useState<ShownKey | null>(null)
  const create = (
    <Button look="primary" onClick={() => setIsCreating(true)}>
      <Plus size={15} aria-hidden /> Create key
    </Button>
  )
  return (
    <Page
      title="API keys"
      intro="A program sends its key with every request. Use one for each program and environment, and a new one about every 90 days."
      actions={create}
    >
      <Loaded list={keys} what="keys">
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={KeyRound} title="No key yet" action={create}>
              The chat window needs none. Create a key to call a router from a program of yours.
            </EmptyState>
          ) : (
            <KeyTable keys={items} onRevoke={setRevoked} />
          )
        }
      </Loaded>
      {isCreating && (
        <KeyForm
          onClose={() => setIsCreating(false)}
          onCreated={(key) => {
            setIsCreating(false)
            setShown(key)
          }}
        />
      )}
      {shown && (
        <NewKeyDialog
          shown={shown}
          onClose={() => {
            // React may hold on to the object for a while; the key itself goes now.
            forgetKey(shown)
            setShown(null)
          }}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.name}?`}
          description="The very next request with this key is refused, and answers under way are cut off. A revoked key cannot come back."
          action="Revoke key"
          onConfirm={() => revokeKey(revoked.id)}
          onClose={() => setRevoked(null)}
        />
      )}
    </Page>
  )
}
