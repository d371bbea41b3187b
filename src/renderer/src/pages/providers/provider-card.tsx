import { KeyRound, KeySquare, Pencil, Trash2 } from 'lucide-react'
import type {
  Provider,
  ProviderKey,
  ProviderProblem,
  ProviderTest,
} from '../../../../shared/entities.ts'
import { formatDuration, formatRelativeTime } from '../../../../shared/format.ts'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { useNow } from '../../components/use-now.ts'
import { ServedModels } from './served-models.tsx'
import { testProvider, useProviderTests } from '../../stores/providers.ts'
import { problems } from './provider-problems.ts'

/** The dialogs that a card opens. */
export type ProviderAction = 'edit' | 'replace-key' | 'keys' | 'delete'

interface ProviderCardProps {
  provider: Provider
  onOpen: (action: ProviderAction) => void
}

/** One provider with its status and actions. */
export function ProviderCard({ provider, onOpen }: ProviderCardProps) {
  const test = useProviderTests((tests) => tests[provider.id])
  const nowMs = useNow()
  const { health } = provider
  return (
    <li
      aria-label={provider.id}
      className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4"
    >
      <div className="flex items-center gap-2">
        <h2 className="min-w-0 truncate font-semibold">{provider.id}</h2>
        <HealthBadge provider={provider} />
        <span className="ml-auto">
          <ActionMenu
            of={provider.id}
            actions={[
              { label: 'Edit', icon: Pencil, onSelect: () => onOpen('edit') },
              {
                label: provider.hasKey ? 'Replace key' : 'Add key',
                icon: KeyRound,
                onSelect: () => onOpen('replace-key'),
              },
              ...(provider.hasKey
                ? [{ label: 'Manage keys', icon: KeySquare, onSelect: () => onOpen('keys') }]
                : []),
              { label: 'Delete', icon: Trash2, onSelect: () => onOpen('delete') },
            ]}
          />
        </span>
      </div>
      <p className="truncate text-sm text-muted">
        {provider.typeName}
        {provider.baseUrl !== null && ` · ${provider.baseUrl}`}
      </p>
      <p className="text-sm text-muted">{keyText(provider)}</p>
      {Object.entries(provider.options).map(([name, value]) => (
        <p key={name} className="truncate font-mono text-xs text-muted" title={`${name}: ${value}`}>
          {name}: {value}
        </p>
      ))}
      <ServedModels models={provider.servedModels} />
      {health.status === 'failing' && (
        <p className="text-sm text-bad first-letter:uppercase">
          {health.message}{' '}
          <span className="text-muted">({formatRelativeTime(health.checkedAtMs, nowMs)})</span>
        </p>
      )}
      {provider.pausedModels
        .filter(({ untilMs }) => untilMs > nowMs)
        .map(({ modelId, untilMs }) => (
          <p key={modelId} className="text-sm text-muted">
            {modelId} failed and is paused for {formatDuration(untilMs - nowMs)}
          </p>
        ))}
      <div className="mt-auto flex items-center gap-3 pt-1">
        <Button
          size="small"
          aria-label={`Test ${provider.id}`}
          disabled={test === 'running'}
          onClick={() => void testProvider(provider.id)}
        >
          {test === 'running' ? 'Testing…' : 'Test'}
        </Button>
        {health.status === 'failing' && isKeyProblem(health.problem) && (
          <Button size="small" look="primary" onClick={() => onOpen('replace-key')}>
            {provider.hasKey ? 'Replace key' : 'Add key'}
          </Button>
        )}
        <p role="status" className="min-w-0 text-sm">
          <TestOutcome test={test} isErrorShown={health.status === 'failing'} />
        </p>
      </div>
    </li>
  )
}

function isKeyProblem(problem: ProviderProblem): boolean {
  return problem === 'key_missing' || problem === 'key_rejected'
}

function HealthBadge({ provider: { health } }: { provider: Provider }) {
  const badge: { tone: Tone; text: string } =
    health.status === 'ok'
      ? { tone: 'ok', text: `works · ${formatDuration(health.latencyMs)}` }
      : health.status === 'failing'
        ? { tone: 'bad', text: problems[health.problem] }
        : { tone: 'neutral', text: 'not tested yet' }
  return <Badge tone={badge.tone}>{badge.text}</Badge>
}

function keyText({ needsKey, hasKey, keyBelongsTo, keys }: Provider): string {
  if (keys.length > 1) return keysText(keys)
  if (hasKey) return 'Key saved'
  if (keyBelongsTo !== null) return `The saved key belongs to ${keyBelongsTo}`
  return needsKey ? 'No key yet' : 'No key needed'
}

function keysText(keys: readonly ProviderKey[]): string {
  const out = keys.filter(({ problem, belongsTo }) => problem !== null || belongsTo !== null)
  return out.length === 0
    ? `${keys.length} keys saved`
    : `${keys.length} keys saved, ${out.length} out of use`
}

/** How many model names are shown. The others are counted. */
const modelsNamed = 3

interface TestOutcomeProps {
  test: ProviderTest | 'running' | undefined
  /** The card already shows the error. */
  isErrorShown: boolean
}

function TestOutcome({ test, isErrorShown }: TestOutcomeProps) {
  if (!test || test === 'running') return null
  if (!test.ok && isErrorShown) return null
  if (!test.ok) return <span className="text-bad">{test.message}</span>
  const { models, latencyMs } = test
  const more = models.length - modelsNamed
  return (
    <span className="text-muted" title={models.join('\n')}>
      Connected in {formatDuration(latencyMs)} · {models.length}{' '}
      {models.length === 1 ? 'model' : 'models'}
      {models.length > 0 && `: ${models.slice(0, modelsNamed).join(', ')}`}
      {more > 0 && ` and ${more} more`}
    </span>
  )
}
