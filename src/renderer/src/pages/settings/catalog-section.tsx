import { useEffect, useRef } from 'react'
import type {
  BasePrice,
  CatalogChange,
  CatalogCheck,
  CatalogState,
} from '../../../../shared/models/catalog.ts'
import { formatPrice } from '../../../../shared/strings/format.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import {
  applyCatalog,
  checkCatalog,
  dismissCatalog,
  resetCatalog,
  useCatalog,
} from '../../stores/catalog.ts'
import { asSentence } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The price catalogue and its updates. Updates happen only on request. */
export function CatalogSection() {
  const { state, error, found, load } = useCatalog()
  const check = useAction(checkCatalog)
  const reset = useAction(resetCatalog)
  const checkButton = useRef<HTMLButtonElement>(null)
  useEffect(() => void load(), [load])
  const failure = check.error ?? reset.error ?? error
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-64 flex-1 text-sm">{state ? catalogText(state) : t('Loading…')}</p>
        {state?.origin === 'downloaded' && (
          <Button disabled={reset.isRunning} onClick={() => reset.run()}>
            {t('Restore included prices')}
          </Button>
        )}
        <Button ref={checkButton} disabled={check.isRunning} onClick={() => check.run()}>
          {check.isRunning ? t('Downloading…') : t('Check for updates')}
        </Button>
      </div>
      <p className="text-sm text-muted">
        {t(
          'Prices and facts come from genai-prices and models.dev. You review changes before they apply. Your own figures stay.',
        )}
      </p>
      {failure && <ErrorNote error={failure} />}
      <p role="status" className={found ? 'text-sm' : 'sr-only'}>
        {found ? summary(found) : ''}
      </p>
      {/* The buttons disappear afterwards, so the focus moves to the button above. */}
      {found && <Found found={found} onDone={() => checkButton.current?.focus()} />}
    </>
  )
}

interface FoundProps {
  found: CatalogCheck
  onDone: () => void
}

function Found({ found, onDone }: FoundProps) {
  const { token, changes } = found
  const { run, isRunning, error } = useAction(async () => {
    await applyCatalog(token)
    onDone()
  })
  const dismiss = () => {
    dismissCatalog()
    onDone()
  }
  if (changes.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      <Changes changes={changes} />
      <div className="flex gap-2">
        <Button look="primary" disabled={isRunning} onClick={() => run()}>
          {t('Apply')}
        </Button>
        <Button onClick={dismiss}>{t('Discard')}</Button>
      </div>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

const kinds: Record<
  CatalogChange['kind'],
  { tone: Tone; text: string; countOf: (count: number) => string }
> = {
  dearer: {
    tone: 'warn',
    text: t('more expensive'),
    countOf: (count) => t('{count} more expensive', { count }),
  },
  cheaper: {
    tone: 'ok',
    text: t('cheaper'),
    countOf: (count) => t('{count} cheaper', { count }),
  },
  changed: {
    tone: 'neutral',
    text: t('changed'),
    countOf: (count) => t('{count} changed', { count }),
  },
  new: { tone: 'neutral', text: t('new'), countOf: (count) => t('{count} new', { count }) },
}

function catalogText({ models, asOf, origin }: CatalogState): string {
  return origin === 'bundled'
    ? t(
        '{count, plural, one {1 model} other {# models}}, prices as of {asOf}, included in this version.',
        { count: models, asOf },
      )
    : t('{count, plural, one {1 model} other {# models}}, prices as of {asOf}, downloaded.', {
        count: models,
        asOf,
      })
}

/** `2 more expensive, 1 cheaper, 40 new.` */
function summary({ asOf, changes }: CatalogCheck): string {
  if (changes.length === 0) return t('Up to date: no changes as of {asOf}.', { asOf })
  const counts = Object.entries(kinds).flatMap(([kind, { countOf }]) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : [countOf(count)]
  })
  return asSentence(counts)
}

const columns: readonly Column[] = [
  { name: t('Model'), className: 'break-all' },
  { name: t('Change') },
  { name: t('Current price'), className: 'whitespace-nowrap' },
  { name: t('New price'), className: 'whitespace-nowrap' },
]

function Changes({ changes }: { changes: readonly CatalogChange[] }) {
  return (
    <DataTable
      label={t('Changes')}
      isLimited
      columns={columns}
      rows={changes.map(({ modelId, kind, before, after }) => ({
        key: modelId,
        cells: [
          <code key="model" className="font-mono font-normal">
            {modelId}
          </code>,
          <Badge key="kind" tone={kinds[kind].tone}>
            {kinds[kind].text}
          </Badge>,
          before ? priceText(before) : '–',
          priceText(after),
        ],
      }))}
    />
  )
}

function priceText({ inputUsdPerMtok, outputUsdPerMtok }: BasePrice): string {
  return formatPrice(inputUsdPerMtok, outputUsdPerMtok)
}
