import { Link } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import type { Model } from '../../../../shared/entities.ts'
import { formatPrice, formatTokens } from '../../../../shared/strings/format.ts'
import { formatRated } from '../../../../shared/models/quality-words.ts'
import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorText, inputClass } from '../../components/field.tsx'
import { innerEnter } from '../../components/inner-enter.ts'
import { Loaded } from '../../components/page.tsx'
import { SortableList } from '../../components/sortable-list.tsx'
import { Swatch } from '../../charts/swatch.tsx'
import { useModels } from '../../stores/models.ts'
import { demoModel } from '../../../../shared/models/provider-type.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import type { StrategyName } from '../../../../shared/routers/strategy-names.ts'
import { colourOfModel } from '../../usage/model-colours.ts'
import { ModelFactsButton } from './model-facts.tsx'
import { PriceForm } from './price-form.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ModelPickerProps {
  /** Decides whether the order of the models counts. */
  strategy: StrategyName
  /** Model ids, most preferred first. */
  chosen: readonly string[]
  onChange: (models: readonly string[]) => void
  error: string | null
}

/** The models of a router, and a list of models to add. */
export function ModelPicker({ strategy, chosen, onChange, error }: ModelPickerProps) {
  const models = useModels()
  const id = useId()
  const isOrdered = strategyProfiles[strategy].keepsListOrder
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-2"
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="mb-1.5 text-sm font-medium">
        {isOrdered ? t('Models, most preferred first') : t('Models')}
      </legend>
      {chosen.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line px-3 py-2.5 text-sm text-muted">
          {t('No models yet. Add one from the list below.')}
        </p>
      ) : (
        <ChosenModels {...{ isOrdered, chosen, onChange }} known={models.items ?? []} />
      )}
      <Unpriced
        models={(models.items ?? []).filter(
          (model) => chosen.includes(model.id) && !isPriced(model),
        )}
      />
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      <Loaded list={models} what={t('models')}>
        {(items) => (
          <AvailableModels
            models={items.filter((model) => !chosen.includes(model.id))}
            onAdd={(model) => onChange([...chosen, model])}
          />
        )}
      </Loaded>
    </fieldset>
  )
}

interface ChosenModelsProps {
  isOrdered: boolean
  chosen: readonly string[]
  known: readonly Model[]
  onChange: (models: readonly string[]) => void
}

function ChosenModels({ isOrdered, chosen, known, onChange }: ChosenModelsProps) {
  return (
    <SortableList label={t('Selected models')} ids={chosen} onChange={isOrdered ? onChange : null}>
      {(id, index) => (
        <>
          {isOrdered && (
            <span className="w-5 text-right text-muted tabular-nums">{index + 1}.</span>
          )}
          <Swatch {...colourOfModel(id)} />
          <span className="min-w-0 truncate font-medium">{id}</span>
          <Figures model={known.find((model) => model.id === id)} />
          <span className="ml-auto flex shrink-0">
            <AboutChosen model={known.find((model) => model.id === id)} />
            <IconButton
              label={t('Remove {id}', { id })}
              onClick={() => onChange(chosen.filter((other) => other !== id))}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </span>
        </>
      )}
    </SortableList>
  )
}

/** Chosen models without a price, each with the form for it. */
function Unpriced({ models }: { models: readonly Model[] }) {
  const [open, setOpen] = useState<string | null>(null)
  return models.map((model) => (
    <div key={model.id} className="text-sm">
      <p className="flex items-center gap-2">
        <span className="min-w-0 flex-1 text-warn wrap-anywhere">
          {rich('{id} has no price, so the router cannot use it.', { id: model.id })}
        </span>
        <Button
          size="small"
          aria-label={t('Set price of {id}', { id: model.id })}
          aria-expanded={open === model.id}
          onClick={() => setOpen(open === model.id ? null : model.id)}
        >
          {t('Set price')}
        </Button>
      </p>
      {open === model.id && (
        <PriceForm model={model} label={t('Save price')} onSaved={() => setOpen(null)} />
      )}
    </div>
  ))
}

function AboutChosen({ model }: { model: Model | undefined }) {
  return model ? <ModelFactsButton model={model} /> : null
}

/** The price, context size and rating of a model. */
function Figures({ model }: { model: Model | undefined }) {
  if (!model) return <span className="text-xs text-warn">{t('no longer available')}</span>
  return (
    <span className="truncate text-xs text-muted" title={t('US dollars per million tokens')}>
      {figuresOf(model).join(' · ')}
    </span>
  )
}

function figuresOf(model: Model): string[] {
  const { contextTokens, rating } = model
  return [
    formatPrice(model.inputUsdPerMtok, model.outputUsdPerMtok),
    ...(contextTokens === null
      ? []
      : [t('{tokens} context', { tokens: formatTokens(contextTokens) })]),
    ...(makesEmbeddings(model) ? [t('embeddings')] : []),
    ...(rating === null ? [] : [t('quality {quality}', { quality: formatRated(rating) })]),
  ]
}

/** How many models are listed. Search finds the others. */
const mostListed = 40

function AvailableModels({
  models,
  onAdd,
}: {
  models: readonly Model[]
  onAdd: (id: string) => void
}) {
  const [search, setSearch] = useState('')
  const [priced, setPriced] = useState<string | null>(null)
  if (models.length === 0) {
    return (
      <p className="text-sm text-muted">
        {t('No other models available.')}{' '}
        {rich('{link} to get more.', {
          link: (
            <Link to="/models" search={{ view: 'providers' }} className="text-accent underline">
              {t('Add a provider')}
            </Link>
          ),
        })}
      </p>
    )
  }
  // The demo comes last: it is too small for real questions.
  const found = models
    .filter(({ id }) => id.toLowerCase().includes(search.trim().toLowerCase()))
    .toSorted((a, b) => Number(a.id === demoModel.id) - Number(b.id === demoModel.id))
  return (
    <div className="rounded-lg border border-line">
      <input
        type="search"
        aria-label={t('Search models to add')}
        placeholder={t('{count, plural, one {Search 1 model} other {Search # models}}', {
          count: models.length,
        })}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={innerEnter(() => {
          const [only, ...others] = found
          if (only && others.length === 0 && isPriced(only)) onAdd(only.id)
        })}
        className={`${inputClass} rounded-b-none border-0 border-b border-line`}
      />
      <ul aria-label={t('Available models')} className="max-h-80 overflow-y-auto p-1">
        {found.slice(0, mostListed).map((model) => (
          <li key={model.id} className="rounded-md px-2 py-1 text-sm hover:bg-hover">
            <div className="flex items-center gap-2">
              <span className="min-w-0 truncate">{model.id}</span>
              <Figures model={model} />
              <span className="ml-auto shrink-0">
                <ModelFactsButton model={model} />
              </span>
              {isPriced(model) ? (
                <Button
                  size="small"
                  aria-label={t('Add {id}', { id: model.id })}
                  onClick={() => onAdd(model.id)}
                >
                  <Plus size={13} aria-hidden /> {t('Add')}
                </Button>
              ) : (
                <Button
                  size="small"
                  aria-label={t('Set price of {id}', { id: model.id })}
                  aria-expanded={priced === model.id}
                  onClick={() => setPriced(priced === model.id ? null : model.id)}
                >
                  {t('Set price')}
                </Button>
              )}
            </div>
            {priced === model.id && (
              <PriceForm
                model={model}
                onSaved={() => {
                  setPriced(null)
                  onAdd(model.id)
                }}
              />
            )}
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-1 text-sm text-muted">{t('No matches')}</li>}
      </ul>
      {found.length > mostListed && (
        <p className="border-t border-line px-3 py-1.5 text-xs text-muted">
          {t('{more} more. Search to find them.', { more: found.length - mostListed })}
        </p>
      )}
    </div>
  )
}

function isPriced(model: Model): boolean {
  return model.inputUsdPerMtok !== null && model.outputUsdPerMtok !== null
}
