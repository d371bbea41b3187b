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

/** The keys that programs use to call routers. */
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
      intro="Programs send a key with every request. Use a separate key for each program and environment, and rotate keys every 90 days."
      actions={create}
    >
      <Loaded list={keys} what="keys">
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={KeyRound} title="No keys yet" action={create}>
              Create a key to call a router from your program. Chat does not need one.
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
            // React may keep the object for a while, so the key is wiped now.
            forgetKey(shown)
            setShown(null)
          }}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.name}?`}
          description="The key stops working immediately, and running answers are cancelled. You cannot undo this."
          action="Revoke key"
          onConfirm={() => revokeKey(revoked.id)}
          onClose={() => setRevoked(null)}
        />
      )}
    </Page>
  )
}
