import { formatRated } from '../../../../shared/models/quality-words.ts'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Model } from '../../../../shared/entities.ts'
import { formatPrice, formatTokens, formatUsd } from '../../../../shared/strings/format.ts'
import type { ListedModel, SourcedFact } from '../../../../shared/models/listed-model.ts'
import type { ModelRating } from '../../../../shared/models/model-facts.ts'
import { formatPoints } from '../../../../shared/models/rating-words.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { Badge } from '../../components/badge.tsx'
import { IconButton } from '../../components/button.tsx'
import { RequestsLink } from '../../components/requests-link.tsx'
import { useNow } from '../../components/use-now.ts'
import { useFocusOverList } from '../../components/use-pane-focus.ts'
import { abilitiesOf, abilityNames } from '../../usage/model-abilities.ts'
import { todayAt } from '../../usage/today.ts'
import { useEscape } from '../activity/use-escape.ts'
import { AddToRouter } from './add-to-router.tsx'
import { energyRangeText, energyText } from './energy-words.ts'
import { OwnPrice } from './own-price.tsx'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

interface ModelDetailsProps {
  row: ListedModel
  figures: UsageFigures | undefined
  onClose: () => void
}

/** What is known of a model, where each figure comes from, and which routers use it. */
export function ModelDetails({ row, figures, onClose }: ModelDetailsProps) {
  const { model, isOwn, typeName, sources } = row
  const { fromMs, toMs } = todayAt(useNow())
  useEscape(null, onClose)
  const pane = useFocusOverList()
  return (
    <aside
      ref={pane}
      tabIndex={-1}
      aria-label={t('About {id}', { id: model.id })}
      className="flex w-96 shrink-0 flex-col gap-5 overflow-y-auto border-l border-line bg-surface px-5 py-6 focus-visible:outline-offset-[-2px] max-[70rem]:absolute max-[70rem]:inset-0 max-[70rem]:w-auto max-[70rem]:border-l-0"
    >
      <header className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          {/* In a narrow window, the list and its heading are hidden. */}
          <h1 className="sr-only min-[70rem]:hidden">{t('Models')}</h1>
          <h2 className="font-semibold wrap-anywhere">
            {model.id.slice(model.providerId.length + 1)}
          </h2>
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
            {typeName} {isOwn && <Badge tone="ok">{t('yours')}</Badge>}
          </p>
        </div>
        <IconButton label={t('Close details')} onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <AddToRouter row={row} />
      <dl className="flex flex-col gap-4 text-sm">
        <Fact name={t('Price per million tokens')} source={priceSource(model)}>
          <Prices model={model} />
          <OwnPrice key={model.id} row={row} />
        </Fact>
        <Fact name={t('Context')} source={isUsers(model) ? null : factSource(sources.context)}>
          {contextText(model)}
        </Fact>
        <Fact name={t('Abilities')} source={factSource(sources.capabilities)}>
          {joinWords(abilitiesOf(model).map((ability) => abilityNames[ability])) || t('None known')}
        </Fact>
        <Fact name={t('Quality')} source={ratingSource(model)}>
          <Quality rating={model.rating} />
        </Fact>
        {model.efforts.length > 1 && (
          <Fact name={t('Quality by reasoning effort')} source={null}>
            {model.efforts.map(({ effort, points }) => `${effort ?? 'none'} ${points}`).join(' · ')}
          </Fact>
        )}
        <EnergyFact row={row} />
        <Fact name={t('Used today')} source={null}>
          {figures === undefined ? (
            t('Not used today')
          ) : (
            <RequestsLink filter={{ model: model.id, fromMs, toMs }}>
              {t('{count, plural, one {# request} other {# requests}} for {cost}', {
                count: figures.requests,
                cost: formatUsd(figures.costUsd),
              })}
            </RequestsLink>
          )}
        </Fact>
      </dl>
      {!isOwn && (
        <p className="text-sm">
          {rich('{link} to use this model in your routers.', {
            link: (
              <Link
                to="/models"
                search={{ view: 'providers', add: row.providerType }}
                className="text-accent underline underline-offset-3"
              >
                {rich('Add {typeName}', { typeName })}
              </Link>
            ),
          })}
        </p>
      )}
    </aside>
  )
}

function contextText({ contextTokens, maxOutputTokens }: Model): string {
  const tokens = formatTokens(contextTokens)
  return maxOutputTokens === null
    ? t('{tokens} tokens', { tokens })
    : t('{tokens} tokens, at most {maxOutputTokens} of them output', {
        tokens,
        maxOutputTokens: formatTokens(maxOutputTokens),
      })
}

function Quality({ rating }: { rating: ModelRating | null }) {
  if (rating === null) return <>{t('No source rates this model')}</>
  const { effort, basis, halfWidth } = rating
  const remarks = [
    t('of 100'),
    t('{rating} points', { rating: formatPoints(rating) }),
    ...(halfWidth === null ? [] : [t('95 % range')]),
    ...(effort === null || basis === 'user' ? [] : [t('at effort “{effort}”', { effort })]),
    ...(basis === 'sibling' ? [t('from a similar model')] : []),
  ]
  return (
    <>
      {formatRated(rating)}
      <span className="text-muted"> {joinWords(remarks)}</span>
    </>
  )
}

function EnergyFact({ row: { energy, sources } }: { row: ListedModel }) {
  const source = factSource(sources.energy ?? sources.size)
  return (
    <Fact name={t('Energy per 1,000 output tokens')} source={source}>
      {energy.method === 'unknown' ? (
        <>
          {rich('Unknown size. Models of any size take {energyRangeText}.', {
            energyRangeText: energyRangeText(energy),
          })}
        </>
      ) : (
        <>
          {energyText(energy)}{' '}
          <span className="text-muted">
            {rich('({energyRangeText}, modelled)', { energyRangeText: energyRangeText(energy) })}
          </span>
        </>
      )}
    </Fact>
  )
}

function Prices({ model }: { model: Model }) {
  const { cacheReadUsdPerMtok, priceTiers, timedPrices } = model
  return (
    <>
      {formatPrice(model.inputUsdPerMtok, model.outputUsdPerMtok)}
      {cacheReadUsdPerMtok !== null && (
        <span className="block text-muted">
          {rich('{cacheReadUsdPerMtok} from cache', {
            cacheReadUsdPerMtok: formatUsd(cacheReadUsdPerMtok),
          })}
        </span>
      )}
      {priceTiers.map((tier) => (
        <span key={tier.fromPromptTokens} className="block text-muted">
          {t('{price} from {tokens} prompt tokens', {
            price: formatPrice(tier.inputUsdPerMtok, tier.outputUsdPerMtok),
            tokens: formatTokens(tier.fromPromptTokens),
          })}
        </span>
      ))}
      {timedPrices.length > 0 && (
        <span className="block text-muted">{t('Other prices at certain hours or dates')}</span>
      )}
    </>
  )
}

interface FactProps {
  name: string
  source: string | null
  children: ReactNode
}

function Fact({ name, source, children }: FactProps) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
      {source !== null && <dd className="text-xs wrap-anywhere text-muted">{source}</dd>}
    </div>
  )
}

function isUsers({ priceSource: source }: Model): boolean {
  return source?.kind === 'user'
}

function priceSource({ priceSource: source }: Model): string | null {
  if (source === null) return null
  return source.kind === 'user' ? t('Set by you') : factSource(source)
}

function ratingSource({ rating }: Model): string | null {
  if (rating === null) return null
  if (rating.basis === 'user') return t('Set by you')
  const { source, asOf } = rating
  return source === null || asOf === null ? null : factSource({ source, asOf })
}

function factSource(fact: SourcedFact | null): string | null {
  return fact && `${fact.source}, ${fact.asOf}`
}
