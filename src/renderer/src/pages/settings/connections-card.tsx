import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, type ReactNode } from 'react'
import {
  connectionEntries,
  switchableConnections,
  type Connection,
  type ConnectionId,
  type ConnectionState,
} from '../../../../shared/app/connections.ts'
import { settingCards, settingsSections } from '../../../../shared/app/settings-sections.ts'
import type { Settings } from '../../../../shared/app/settings.ts'
import { formatRelativeTime } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Badge } from '../../components/badge.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { useNow } from '../../components/use-now.ts'
import { switchConnection, useConnectionList, workOffline } from '../../stores/connection-list.ts'
import { SettingCard } from './setting-card.tsx'

/** Every connection that Modelport can open, from the table that refuses all others. */
export function ConnectionsCard({ settings }: { settings: Settings }) {
  const { connections, error, load } = useConnectionList()
  const { run: switchOne, error: failure } = useAction(switchConnection)
  const { run: goOffline, error: offlineFailure } = useAction(workOffline)
  useEffect(() => {
    void load()
    const reload = () => void useConnectionList.getState().load()
    window.addEventListener('focus', reload)
    return () => window.removeEventListener('focus', reload)
  }, [load])
  const problem = failure ?? offlineFailure ?? error
  const off: ReadonlySet<ConnectionId> = new Set(settings.connectionsOff)
  const list = { off, states: connections ?? [], onSwitch: switchOne }
  return (
    <SettingCard title={settingCards.connections}>
      <p className="text-sm text-muted">
        {t(
          'This is the whole list: Modelport cannot open a connection that is not in it. There is no account and no telemetry to us.',
        )}
      </p>
      <Checkbox
        label={t('Work offline')}
        hint={t(
          'Switches off every connection that has a switch here. The built-in model and model servers on this computer still answer.',
        )}
        checked={off.size === switchableConnections.length}
        onChange={goOffline}
      />
      {problem && <ErrorNote error={problem} />}
      <ConnectionList label={t('To other computers')} isLocal={false} {...list} />
      <ConnectionList label={t('On this computer only')} isLocal {...list} />
    </SettingCard>
  )
}

interface ListProps {
  label: string
  isLocal: boolean
  off: ReadonlySet<ConnectionId>
  states: readonly ConnectionState[]
  onSwitch: (id: ConnectionId, isOn: boolean) => void
}

function ConnectionList({ label, isLocal, off, states, onSwitch }: ListProps) {
  const entries = connectionEntries.filter(([, one]) => (one.isLocal === true) === isLocal)
  return (
    <div className="flex flex-col gap-1">
      <h4 className="text-xs font-medium text-muted">{label}</h4>
      <ul aria-label={label} className="flex flex-col divide-y divide-line border-y border-line">
        {entries.map(([id, connection]) => (
          <ConnectionRow
            key={id}
            connection={connection}
            state={states.find((state) => state.id === id)}
            isAllowed={connection.decidedBy === 'list' && !off.has(id)}
          >
            {connection.decidedBy === 'list' ? (
              <Checkbox
                label={connection.title}
                checked={!off.has(id)}
                onChange={(isOn) => onSwitch(id, isOn)}
              />
            ) : (
              <span className="pl-[1.3rem] text-sm">{connection.title}</span>
            )}
          </ConnectionRow>
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  connection: Connection
  state: ConnectionState | undefined
  /** Its switch is on. */
  isAllowed: boolean
  /** The title with its switch. */
  children: ReactNode
}

function ConnectionRow({ connection, state, isAllowed, children }: RowProps) {
  const { when, to, hosts } = connection
  const nowMs = useNow(state?.lastUsedAtMs)
  return (
    <li aria-label={connection.title} className="flex flex-col gap-0.5 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-48 flex-1">{children}</div>
        {state && (
          <span className="text-xs text-muted">
            {state.lastUsedAtMs === null
              ? t('never used')
              : t('last used {when}', { when: formatRelativeTime(state.lastUsedAtMs, nowMs) })}
          </span>
        )}
        {state && <StateBadge {...{ connection, isAllowed }} isOn={state.isOn} />}
      </div>
      <div className="flex flex-col gap-0.5 pl-[1.3rem] text-xs text-muted">
        <p>{when}</p>
        <p>
          {to}
          {hosts.map((host) => (
            <Fragment key={host}>
              {' '}
              <code className="ml-1 inline-block font-mono">{host}</code>
            </Fragment>
          ))}
        </p>
        <Decides connection={connection} />
      </div>
    </li>
  )
}

interface StateProps extends Pick<RowProps, 'connection' | 'isAllowed'> {
  isOn: boolean
}

/** What may be opened is not in use while nothing is set up that needs it, such as a provider. */
function StateBadge({ connection, isAllowed, isOn }: StateProps) {
  if (!isOn) return <Badge>{isAllowed ? t('Not in use') : t('Off')}</Badge>
  return <Badge tone="ok">{connection.decidedBy === 'nobody' ? t('When needed') : t('On')}</Badge>
}

/** Where it is decided, if not in this list alone. */
function Decides({ connection: { decidedBy, section } }: { connection: Connection }) {
  const found = settingsSections.find(({ name }) => name === section)
  if (found !== undefined) {
    return (
      <Link
        to="/settings/$section"
        params={{ section: found.name }}
        className="self-start text-accent underline underline-offset-2"
      >
        {t('Change in Settings, {section}', { section: found.title })}
      </Link>
    )
  }
  if (!decidedBy.startsWith('--')) return null
  return <p>{t('Only with the option {option} of `modelport serve`.', { option: decidedBy })}</p>
}
