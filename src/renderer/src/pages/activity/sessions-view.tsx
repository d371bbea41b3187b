import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SessionRow } from '../../../../shared/requests/session.ts'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatShare,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { DataTable, rowLinkClass, type Row } from '../../components/data-table.tsx'
import { Loaded } from '../../components/page.tsx'
import { useSession, useSessions } from '../../stores/sessions.ts'
import { useAddressSearch } from '../../usage/search.ts'
import { ActivityHead } from './activity-head.tsx'
import { LookedRules } from './looked-rules.tsx'
import { RuleProofs } from './rule-proofs.tsx'
import { SessionDetails, stepsOfPage } from './session-details.tsx'

/** Sessions of coding agents, or one of them. */
export function SessionsView() {
  const { session } = useAddressSearch()
  return (
    <main className="h-full overflow-y-auto [scrollbar-gutter:stable]" tabIndex={-1}>
      <div className="flex flex-col gap-3 px-5 py-5 min-[60rem]:px-8 min-[60rem]:py-7">
        <ActivityHead view="sessions" applied={[]} />
        {session === undefined && <LookedRules />}
        {session === undefined && <RuleProofs />}
        {session === undefined ? <SessionList /> : <OneSession key={session} id={session} />}
      </div>
    </main>
  )
}

function SessionList() {
  const sessions = useSessions()
  return (
    <Loaded list={sessions} what={t('sessions')}>
      {(rows) => (
        <DataTable
          label={t('Sessions')}
          look="page"
          opensRows
          columns={[
            { name: t('Started') },
            { name: t('Client') },
            { name: t('Duration'), isFigure: true },
            { name: t('Turns'), isFigure: true },
            { name: t('Steps'), isFigure: true },
            { name: t('Subagents'), isFigure: true },
            { name: t('Cost'), isFigure: true },
            { name: t('From cache'), isFigure: true },
            { name: t('Marks') },
            { name: t('Models') },
          ]}
          rows={rows.map(rowOf)}
          empty={<NoSessions />}
        />
      )}
    </Loaded>
  )
}

function NoSessions() {
  return (
    <p role="status" className="max-w-prose py-8 text-sm text-muted">
      {t('No sessions yet. Claude Code, Codex and opencode appear here when they use Modelport.')}
    </p>
  )
}

function rowOf(session: SessionRow): Row {
  const { id, startedAtMs, endedAtMs, turns, steps, subagents, costNanoUsd, models } = session
  const { client, version, promptTokens, readTokens } = session
  const share = promptTokens === 0 ? 0 : readTokens / promptTokens
  return {
    key: id,
    values: [
      startedAtMs,
      client,
      endedAtMs - startedAtMs,
      turns,
      steps,
      subagents,
      costNanoUsd,
      share,
      null,
      null,
    ],
    cells: [
      <Link
        key="started"
        to="/activity"
        search={{ view: 'sessions', session: id }}
        className={`whitespace-nowrap ${rowLinkClass}`}
      >
        {formatDateTime(startedAtMs)}
      </Link>,
      version === null ? client : `${client} ${version}`,
      formatDuration(endedAtMs - startedAtMs),
      formatCount(turns),
      formatCount(steps),
      formatCount(subagents),
      formatUsd(costNanoUsd / 1e9),
      promptTokens === 0 ? '–' : formatShare(share),
      <Marks key="marks" {...session} />,
      models.join(', '),
    ],
  }
}

function Marks({ broken, failed }: Pick<SessionRow, 'broken' | 'failed'>) {
  const words = [
    ...(broken > 0 ? [t('{broken} × cache broken', { broken: formatCount(broken) })] : []),
    ...(failed > 0 ? [t('{failed} failed', { failed: formatCount(failed) })] : []),
  ]
  return <span className="text-warn">{words.join(', ')}</span>
}

function OneSession({ id }: { id: string }) {
  const [steps, setSteps] = useState(stepsOfPage)
  const session = useSession(id, steps)
  return (
    <>
      <Link
        to="/activity"
        search={{ view: 'sessions' }}
        className="self-start text-sm text-muted hover:text-ink"
      >
        {t('← All sessions')}
      </Link>
      <Loaded list={session} what={t('the session')}>
        {([found]) =>
          found === undefined ? (
            <p role="status" className="py-8 text-sm text-muted">
              {t('The ledger has no such session.')}
            </p>
          ) : (
            <SessionDetails session={found} onMore={() => setSteps(steps + stepsOfPage)} />
          )
        }
      </Loaded>
    </>
  )
}
