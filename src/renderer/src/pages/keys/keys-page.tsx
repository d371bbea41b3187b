import { KeyRound, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ApiKey } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { forgetKey, loadKeyClients, revokeKey, useKeys, type ShownKey } from '../../stores/keys.ts'
import { useReport } from '../../stores/reports.ts'
import { rangeAt } from '../../usage/range.ts'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { t } from '../../../../shared/strings/strings.ts'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'rotate'; apiKey: ApiKey }
  | { kind: 'revoke'; apiKey: ApiKey }
  | { kind: 'shown'; shown: ShownKey }

/** The keys that programs use to call routers. */
export function KeysPage() {
  const keys = useKeys()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [notice, setNotice] = useState('')
  const { items } = keys
  useEffect(() => void loadKeyClients(items ?? []), [items])
  const create = (
    <Button look="primary" onClick={() => setDialog({ kind: 'create' })}>
      <Plus size={15} aria-hidden /> {t('Create key')}
    </Button>
  )
  return (
    <Page
      title={t('API Keys')}
      intro={t(
        'Programs send a key with every request. Use a separate key for each program and environment, and rotate keys every 90 days.',
      )}
      actions={create}
      width="wide"
    >
      <Loaded list={keys} what={t('keys')}>
        {(loaded) =>
          loaded.length === 0 ? (
            <EmptyState icon={KeyRound} title={t('No keys yet')} action={create}>
              {t('Create a key to call a router from your program. Chat does not need one.')}
            </EmptyState>
          ) : (
            <KeysWithUsage
              keys={loaded}
              onRotate={(apiKey) => setDialog({ kind: 'rotate', apiKey })}
              onRevoke={(apiKey) => setDialog({ kind: 'revoke', apiKey })}
            />
          )
        }
      </Loaded>
      <p role="status" className="text-sm text-muted empty:hidden">
        {notice}
      </p>
      {dialog && (
        <KeyDialog
          dialog={dialog}
          onShow={(shown) => setDialog({ kind: 'shown', shown })}
          onRevoked={({ name }) =>
            setNotice(`Revoked ${name}. Requests with it get 401 from now on.`)
          }
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  )
}

interface KeysWithUsageProps {
  keys: readonly ApiKey[]
  onRotate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

function KeysWithUsage(props: KeysWithUsageProps) {
  const nowMs = useNow(props.keys)
  const range = rangeAt('7d', nowMs)
  const { fromMs, toMs, bucketMs, offsetMs } = range
  const { report } = useReport({ fromMs, toMs, bucketMs, offsetMs, group: 'key' })
  return <KeyTable {...props} {...{ nowMs, range, report }} />
}

interface KeyDialogProps {
  dialog: OpenDialog
  onShow: (shown: ShownKey) => void
  onRevoked: (key: ApiKey) => void
  onClose: () => void
}

function KeyDialog({ dialog, onShow, onRevoked, onClose }: KeyDialogProps) {
  switch (dialog.kind) {
    case 'create':
      return <KeyForm onClose={onClose} onCreated={onShow} />
    case 'rotate':
      return <RotateKeyDialog apiKey={dialog.apiKey} onClose={onClose} onRotated={onShow} />
    case 'shown':
      return (
        <NewKeyDialog
          shown={dialog.shown}
          onClose={() => {
            // React may keep the object for a while, so the key is wiped now.
            forgetKey(dialog.shown)
            onClose()
          }}
        />
      )
    case 'revoke':
      return (
        <ConfirmDialog
          title={t('Revoke {name}?', { name: dialog.apiKey.name })}
          description={t(
            'The key stops working immediately, and running answers are cancelled. You cannot undo this.',
          )}
          action={t('Revoke key')}
          onConfirm={async () => {
            await revokeKey(dialog.apiKey.id)
            onRevoked(dialog.apiKey)
          }}
          onClose={onClose}
        />
      )
  }
}
