import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ApiKey } from '../../../../shared/entities.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Loaded } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { forgetKey, loadKeyClients, revokeKey, useKeys, type ShownKey } from '../../stores/keys.ts'
import { useReport } from '../../stores/reports.ts'
import { rangeAt } from '../../usage/range.ts'
import { useAddressSearch, useSetSearch, type Search } from '../../usage/search.ts'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { RotateKeyDialog } from './rotate-key-dialog.tsx'
import { t } from '../../../../shared/strings/strings.ts'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'rotate' | 'revoke'; apiKey: ApiKey }
  | { kind: 'shown'; shown: ShownKey }

/** The dialog in the address, so that other pages and the palette can open it: `?do=rotate&key=key_1`. */
function dialogIn(search: Search, keys: readonly ApiKey[]): OpenDialog | null {
  const kind = search['do']
  if (kind === 'create') return { kind }
  const apiKey = keys.find(({ id, revokedAtMs }) => id === search['key'] && revokedAtMs === null)
  return apiKey && (kind === 'rotate' || kind === 'revoke') ? { kind, apiKey } : null
}

/** The programs that may call routers: each has a key of its own. */
export function Programs() {
  const keys = useKeys()
  const search = useAddressSearch()
  const setSearch = useSetSearch()
  const [shown, setShown] = useState<ShownKey | null>(null)
  const [notice, setNotice] = useState('')
  const section = useRef<HTMLElement>(null)
  const { items } = keys
  useEffect(() => void loadKeyClients(items ?? []), [items])
  const isAsked = search['show'] === 'keys'
  useEffect(() => {
    if (isAsked) section.current?.focus()
  }, [isAsked])
  const dialog: OpenDialog | null = shown ? { kind: 'shown', shown } : dialogIn(search, items ?? [])
  const open = (kind: 'create' | 'rotate' | 'revoke', key?: ApiKey) =>
    setSearch({ do: kind, key: key?.id })
  const closeAsked = () => setSearch({ do: undefined, key: undefined }, { replace: true })
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={headingId}
      className="flex flex-col gap-3"
    >
      <header className="flex items-end justify-between gap-6">
        <div className="flex flex-col gap-0.5">
          <h2 id={headingId} className="font-semibold">
            {t('API keys of your programs')}
          </h2>
          <p className="max-w-prose text-sm text-muted">
            {t(
              'Programs send a key with every request. Use a separate key for each program and environment, and rotate keys every 90 days.',
            )}
          </p>
        </div>
        <Button look="primary" className="shrink-0" onClick={() => open('create')}>
          <Plus size={15} aria-hidden /> {t('Create key')}
        </Button>
      </header>
      <Loaded list={keys} what={t('keys')}>
        {(loaded) =>
          loaded.length === 0 ? (
            <p className="rounded-xl border border-dashed border-line px-4 py-5 text-sm text-muted">
              {t(
                'No keys yet. Connect a tool below, or create a key for a program of your own. Chat does not need one.',
              )}
            </p>
          ) : (
            <KeysWithUsage
              keys={loaded}
              onRotate={(apiKey) => open('rotate', apiKey)}
              onRevoke={(apiKey) => open('revoke', apiKey)}
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
          onShow={(key) => {
            setShown(key)
            closeAsked()
          }}
          onRevoked={({ name }) =>
            setNotice(t('Revoked {name}. Requests with it get 401 from now on.', { name }))
          }
          onClose={() => {
            setShown(null)
            closeAsked()
          }}
        />
      )}
    </section>
  )
}

const headingId = 'programs'

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
