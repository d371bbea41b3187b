import { Boxes, KeyRound, KeySquare, Pencil, Radar, Trash2 } from 'lucide-react'
import type {
  Provider,
  ProviderKey,
  ProviderProblem,
  ProviderTest,
} from '../../../../shared/entities.ts'
import {
  formatCount,
  formatDuration,
  formatRelativeTime,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ProviderMark } from '../../components/provider-mark.tsx'
import { RequestsLink } from '../../components/requests-link.tsx'
import { useNow } from '../../components/use-now.ts'
import { useModels } from '../../stores/models.ts'
import { testProvider, useProviderTests } from '../../stores/providers.ts'
import { stringifySearch } from '../../usage/search.ts'
import { lastAnsweredWords, type ProviderHealthDays } from './health-days.ts'
import { HealthStrip } from './health-strip.tsx'
import { ProviderFindings } from './provider-findings.tsx'
import { problems } from './provider-problems.ts'
import { ServedModels } from './served-models.tsx'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** The dialogs that a card opens. */
export type ProviderAction = 'edit' | 'models' | 'replace-key' | 'keys' | 'probe' | 'delete'

interface ProviderCardProps {
  provider: Provider
  /** Null until loaded. */
  health: ProviderHealthDays | null
  onOpen: (action: ProviderAction) => void
}

/** One provider with its status, its last 30 days and its actions. */
export function ProviderCard({ provider, health, onOpen }: ProviderCardProps) {
  return (
    <li
      aria-label={provider.id}
      className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4"
    >
      <CardHeader provider={provider} health={health} onOpen={onOpen} />
      <Figures provider={provider} health={health} onOpen={onOpen} />
      {health && <HealthStrip providerId={provider.id} health={health} />}
      <ProviderFindings providerId={provider.id} />
      <Details provider={provider} />
      <CardActions provider={provider} onOpen={onOpen} />
    </li>
  )
}

type PartProps = Pick<ProviderCardProps, 'provider' | 'onOpen'>

function CardHeader({ provider, health, onOpen }: ProviderCardProps) {
  return (
    <div className="flex items-start gap-3">
      <ProviderMark name={provider.typeName} />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 truncate font-semibold">{provider.id}</h2>
          <HealthBadge provider={provider} days={health} />
        </div>
        <p className="truncate text-xs text-muted" title={provider.baseUrl ?? undefined}>
          {provider.typeName}
          {provider.baseUrl !== null && ` · ${provider.baseUrl}`}
        </p>
      </div>
      <TestButton id={provider.id} />
      <ActionMenu
        entry={provider.id}
        actions={[
          { label: t('Edit provider'), icon: Pencil, onSelect: () => onOpen('edit') },
          { label: t('Models'), icon: Boxes, onSelect: () => onOpen('models') },
          {
            label: provider.hasKey ? t('Replace key') : t('Add key'),
            icon: KeyRound,
            onSelect: () => onOpen('replace-key'),
          },
          ...(provider.hasKey
            ? [{ label: t('Manage keys'), icon: KeySquare, onSelect: () => onOpen('keys') }]
            : []),
          { label: t('Daily probe'), icon: Radar, onSelect: () => onOpen('probe') },
          { label: t('Delete'), icon: Trash2, onSelect: () => onOpen('delete') },
        ]}
      />
    </div>
  )
}

/** Today's spend and answers, how soon answers begin, the models, and the key. */
function Figures({ provider, health, onOpen }: ProviderCardProps) {
  const models = useModels((state) => state.items)?.filter(
    ({ providerId }) => providerId === provider.id,
  )
  const unpriced = models?.filter(({ inputUsdPerMtok }) => inputUsdPerMtok === null).length ?? 0
  return (
    <dl className="grid grid-cols-4 gap-3 text-sm tabular-nums">
      <div>
        <dt className="text-xs text-muted">{t('Today')}</dt>
        <dd>
          {health === null ? (
            '—'
          ) : (
            <RequestsLink filter={{ providerId: provider.id }} range="24h">
              {formatUsd(health.todayCostUsd)}{' '}
              <span className="block text-xs text-muted">
                {formatCount(health.todayAnswers)}{' '}
                {t('{count, plural, one {answer} other {answers}}', { count: health.todayAnswers })}
              </span>
            </RequestsLink>
          )}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">{t('First token')}</dt>
        <dd title={t('Half of the streams of 30 days began within this time.')}>
          {formatDuration(health?.firstTokenMs ?? null)}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">{t('Models')}</dt>
        <dd>
          {models === undefined ? (
            '—'
          ) : (
            <a
              href={`#/models${stringifySearch({ provider: provider.id })}`}
              aria-label={t('{count, plural, one {1 model} other {# models}}', {
                count: models.length,
              })}
              className="rounded-sm hover:text-accent hover:underline"
            >
              {formatCount(models.length)}
            </a>
          )}
          {unpriced > 0 && (
            <button
              type="button"
              onClick={() => onOpen('models')}
              className="block rounded-sm text-xs text-warn underline underline-offset-3"
            >
              {rich('{unpriced} without a price', { unpriced })}
            </button>
          )}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">{t('Key')}</dt>
        <dd className="wrap-anywhere">{keyText(provider)}</dd>
      </div>
    </dl>
  )
}

function Details({ provider }: { provider: Provider }) {
  const nowMs = useNow()
  const { health, options, pausedModels, servedModels } = provider
  const paused = pausedModels.filter(({ untilMs }) => untilMs > nowMs)
  return (
    <>
      {health.status === 'failing' && (
        <p className="text-sm text-bad first-letter:uppercase">
          {health.message}{' '}
          <span className="text-muted">({formatRelativeTime(health.checkedAtMs, nowMs)})</span>
        </p>
      )}
      {paused.map(({ modelId, untilMs }) => (
        <p key={modelId} className="text-sm text-muted">
          {rich('{modelId} failed and is paused for {time}', {
            modelId,
            time: formatDuration(untilMs - nowMs),
          })}
        </p>
      ))}
      <ServedModels models={servedModels} />
      {Object.keys(options).length > 0 && (
        <ul className="flex flex-col gap-0.5 font-mono text-xs text-muted">
          {Object.entries(options).map(([name, value]) => (
            <li key={name} className="truncate" title={`${name}: ${value}`}>
              {name}: {value}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function CardActions({ provider, onOpen }: PartProps) {
  const test = useProviderTests((tests) => tests[provider.id])
  const { health } = provider
  return (
    <>
      {health.status === 'failing' && isKeyProblem(health.problem) && (
        <Button
          size="small"
          look="primary"
          className="self-start"
          onClick={() => onOpen('replace-key')}
        >
          {provider.hasKey ? t('Replace key') : t('Add key')}
        </Button>
      )}
      {/* It stays in place, so that screen readers announce the outcome. Empty, it takes no room. */}
      <p role="status" className="min-w-0 text-sm empty:-mt-3">
        <TestOutcome
          providerId={provider.id}
          test={test}
          isErrorShown={health.status === 'failing'}
        />
      </p>
    </>
  )
}

function TestButton({ id }: { id: string }) {
  const isRunning = useProviderTests((tests) => tests[id] === 'running')
  return (
    <Button
      size="small"
      aria-label={t('Test {id}', { id })}
      disabled={isRunning}
      onClick={() => void testProvider(id)}
    >
      {isRunning ? t('Testing…') : t('Test')}
    </Button>
  )
}

function isKeyProblem(problem: ProviderProblem): boolean {
  return problem === 'key_missing' || problem === 'key_rejected'
}

interface HealthBadgeProps {
  provider: Provider
  days: ProviderHealthDays | null
}

/** The state of this start's requests and tests; before the first one, that of the ledger. */
function HealthBadge({ provider: { health }, days }: HealthBadgeProps) {
  const badge: { tone: Tone; text: string } =
    health.status === 'ok'
      ? {
          tone: 'ok',
          text: t('works · {latencyMs}', { latencyMs: formatDuration(health.latencyMs) }),
        }
      : health.status === 'failing'
        ? { tone: 'bad', text: problems[health.problem] }
        : { tone: 'neutral', text: (days && lastAnsweredWords(days)) ?? t('not tested yet') }
  return <Badge tone={badge.tone}>{badge.text}</Badge>
}

function keyText({ needsKey, hasKey, keySource, keyBelongsTo, keys }: Provider): string {
  if (keys.length > 1) return keysText(keys)
  if (hasKey) return keySource === null ? t('Saved') : t('From {source}', { source: keySource })
  if (keyBelongsTo !== null) return t('Belongs to {keyBelongsTo}', { keyBelongsTo })
  return needsKey ? t('Missing') : t('Not needed')
}

function keysText(keys: readonly ProviderKey[]): string {
  const out = keys.filter(({ problem, belongsTo }) => problem !== null || belongsTo !== null)
  return out.length === 0
    ? t('{saved} saved', { saved: keys.length })
    : t('{saved} saved, {outOfUse} out of use', { saved: keys.length, outOfUse: out.length })
}

/** How many model names are shown. The others are counted. */
const modelsNamed = 3

interface TestOutcomeProps {
  providerId: string
  test: ProviderTest | 'running' | undefined
  /** The card already shows the error. */
  isErrorShown: boolean
}

function TestOutcome({ providerId, test, isErrorShown }: TestOutcomeProps) {
  const known = useModels((state) => state.items) ?? []
  if (!test || test === 'running') return null
  if (!test.ok && isErrorShown) return null
  if (!test.ok) return <span className="text-bad">{test.message}</span>
  const { models, latencyMs } = test
  const usable = models.filter((name) =>
    known.some((one) => one.id === `${providerId}:${name}` && one.inputUsdPerMtok !== null),
  ).length
  return (
    <span className="text-muted" title={models.join('\n')}>
      {t('Connected in {latency}', { latency: formatDuration(latencyMs) })}
      {' · '}
      {models.length === 0 ? t('no models') : listedWords(models, usable)}
    </span>
  )
}

/** `4 of 24 models can be used: gpt-5, gpt-5-mini, gpt-5-nano and 21 more`: those without a price wait for it. */
function listedWords(models: readonly string[], usable: number): string {
  return t(
    '{usable} of {count, plural, one {# model} other {# models}} can be used: {names}{more, plural, =0 {} other { and # more}}',
    {
      usable,
      count: models.length,
      names: joinWords(models.slice(0, modelsNamed)),
      more: Math.max(0, models.length - modelsNamed),
    },
  )
}
