import { useEffect, useState } from 'react'
import type { TrustState, TrustStoreState } from '../../../../shared/app/trust.ts'
import { formatDay } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { changeTrust, readTrust, useApp } from '../../stores/app.ts'
import { toCallError, type CallError } from '../../stores/client.ts'
import { SettingCard } from './setting-card.tsx'

interface Change {
  store: TrustStoreState
  /** What the store becomes. */
  isTrusted: boolean
}

/** The trust stores of this computer, each with a click that adds the authority or removes it. */
export function TrustCard() {
  const [state, setState] = useState<TrustState | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  const [changing, setChanging] = useState<Change | null>(null)
  const mustTrustAgain = useApp((app) => app.state?.mustTrustAgain)
  // Other programs change the stores, so they are read whenever the card is shown, and for a new authority.
  useEffect(() => {
    async function read(): Promise<void> {
      try {
        setState(await readTrust())
        setError(null)
      } catch (reason) {
        setError(toCallError(reason))
      }
    }
    void read()
  }, [mustTrustAgain])
  return (
    <SettingCard title={t('Trust in the certificate')}>
      <p className="max-w-prose text-sm text-muted">
        {t(
          'Programs that use one of these stores then accept https://localhost. The authority can sign only for this computer’s own names.',
        )}
      </p>
      {state?.mustTrustAgain === true && <TrustAgain state={state} />}
      {error && <ErrorNote error={error} />}
      {state && (
        <ul className="flex flex-col divide-y divide-line border-t border-line">
          {state.stores.map((store) => (
            <StoreRow
              key={store.id}
              store={store}
              onChange={(isTrusted) => setChanging({ store, isTrusted })}
            />
          ))}
        </ul>
      )}
      {state && (
        <p className="text-xs wrap-anywhere text-muted">
          {t('Created on {day}. SHA-256 {fingerprint}', {
            day: formatDay(state.createdAtMs),
            fingerprint: state.fingerprint,
          })}
        </p>
      )}
      {changing && (
        <ChangeDialog
          change={changing}
          onDone={(changed) => setState(changed)}
          onClose={() => setChanging(null)}
        />
      )}
    </SettingCard>
  )
}

function TrustAgain({ state }: { state: TrustState }) {
  return (
    <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm text-warn">
      {t(
        'Modelport has had a new certificate authority since {day}. Programs that trusted the previous one refuse to connect until you trust the new one.',
        { day: formatDay(state.createdAtMs) },
      )}
    </p>
  )
}

interface StoreRowProps {
  store: TrustStoreState
  onChange: (isTrusted: boolean) => void
}

function StoreRow({ store, onChange }: StoreRowProps) {
  const { name, isTrusted, hasOutdated, obstacle } = store
  return (
    <li className="flex flex-wrap items-center gap-3 py-2 text-sm">
      <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
      {hasOutdated && <Badge tone="warn">{t('has a replaced authority')}</Badge>}
      <Badge tone={isTrusted ? 'ok' : 'neutral'}>
        {isTrusted ? t('trusted') : t('not trusted')}
      </Badge>
      {obstacle === 'no_certutil' ? (
        <span className="text-xs text-muted">{t('Needs certutil (libnss3-tools)')}</span>
      ) : (
        <>
          {(isTrusted || hasOutdated) && (
            <Button
              size="small"
              aria-label={t('Remove from {name}', { name })}
              onClick={() => onChange(false)}
            >
              {t('Remove')}
            </Button>
          )}
          {!isTrusted && (
            <Button
              size="small"
              aria-label={t('Trust in {name}', { name })}
              onClick={() => onChange(true)}
            >
              {t('Trust')}
            </Button>
          )}
        </>
      )}
    </li>
  )
}

interface ChangeDialogProps {
  change: Change
  onDone: (state: TrustState | null) => void
  onClose: () => void
}

/** Shows the commands before they run. Commands that need an administrator are for a terminal. */
function ChangeDialog({ change, onDone, onClose }: ChangeDialogProps) {
  const { store, isTrusted } = change
  const { id, name, obstacle } = store
  const isForTerminal = obstacle === 'administrator'
  const commands = isTrusted ? store.trustCommands : store.untrustCommands
  const lines = commands.map((line) => (isForTerminal ? `sudo ${line}` : line)).join('\n')
  return (
    <ConfirmDialog
      title={isTrusted ? t('Trust in {name}', { name }) : t('Remove from {name}', { name })}
      description={
        <>
          {isForTerminal
            ? t('This store needs an administrator. Run these commands in a terminal, then check.')
            : t('Modelport runs these commands:')}
          <span className="mt-2 flex items-start gap-1">
            <code className="max-h-48 min-w-0 flex-1 overflow-auto rounded-lg border border-line bg-sunken p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
              {lines}
            </code>
            <CopyButton text={lines} what={t('commands')} />
          </span>
        </>
      }
      action={isForTerminal ? t('Check again') : isTrusted ? t('Trust') : t('Remove')}
      isHarmless={isTrusted || isForTerminal}
      onConfirm={async () => onDone(await changeTrust({ store: id, isTrusted }, isForTerminal))}
      onClose={onClose}
    />
  )
}
