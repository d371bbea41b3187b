import { formatRated } from '../../../../shared/models/quality-words.ts'
import { Info } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/entities.ts'
import { formatPrice, formatTokens } from '../../../../shared/strings/format.ts'
import type { EffortRating, ModelRating } from '../../../../shared/models/model-facts.ts'
import { makesEmbeddings } from '../../../../shared/models/model-abilities.ts'
import { formatPoints } from '../../../../shared/models/rating-words.ts'
import { Badge } from '../../components/badge.tsx'
import { IconButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** Opens what is known about a model, with the source and date of each fact. */
export function ModelFactsButton({ model }: { model: Model }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('About {id}', { id: model.id })}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Info size={14} aria-hidden />
      </IconButton>
      {isOpen && <ModelFacts model={model} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function ModelFacts({ model, onClose }: { model: Model; onClose: () => void }) {
  const { rating, efforts, priceSource, contextTokens } = model
  return (
    <Dialog title={model.id} onClose={onClose}>
      <dl className="flex flex-col gap-4 text-sm">
        {makesEmbeddings(model) ? (
          <Fact name={t('Embeddings')} source={null}>
            {vectorText(model)}
          </Fact>
        ) : (
          <Fact name={t('Quality')} source={rating === null ? null : ratingSource(rating)}>
            <Rating rating={rating} />
          </Fact>
        )}
        {efforts.length > 0 && (
          <Fact name={t('Quality by reasoning effort')} source={sourceOfEfforts(efforts)}>
            <EffortList efforts={efforts} />
          </Fact>
        )}
        {rating !== null && (
          <Fact
            name={t('Answer length')}
            source={t('LiveBench’s token counts, for an ordinary prompt')}
          >
            {lengthText(rating.outputRatio)}
          </Fact>
        )}
        <Fact name={t('Price per million tokens')} source={priceSourceText(priceSource)}>
          {formatPrice(model.inputUsdPerMtok, model.outputUsdPerMtok)}
        </Fact>
        <Fact name={t('Context')} source={null}>
          {contextTokens === null
            ? t('Unknown')
            : t('{contextTokens} tokens', { contextTokens: formatTokens(contextTokens) })}
        </Fact>
      </dl>
    </Dialog>
  )
}

function vectorText({ embedding }: Model): string {
  if (!embedding) return t('Makes vectors of texts and cannot chat.')
  const { dimensions, isShortenable } = embedding
  return isShortenable
    ? t('Makes vectors with up to {dimensions} dimensions and cannot chat.', { dimensions })
    : t('Makes vectors with {dimensions} dimensions and cannot chat.', { dimensions })
}

interface FactProps {
  name: string
  /** Null if no source needs to be named. */
  source: string | null
  children: ReactNode
}

function Fact({ name, source, children }: FactProps) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="flex flex-col gap-0.5">
        <div>{children}</div>
        {source !== null && (
          <div className="text-xs wrap-anywhere text-muted">
            {rich('Source: {source}', { source })}
          </div>
        )}
      </dd>
    </div>
  )
}

const marks: Readonly<Record<ModelRating['basis'], string | null>> = {
  measured: null,
  sibling: t('from a similar model'),
  user: t('rated by you'),
}

function Rating({ rating }: { rating: ModelRating | null }) {
  if (rating === null) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        {rich('Unknown {badge}', { badge: <Badge tone="warn">{t('not rated')}</Badge> })}
        <span className="text-muted">
          {t('Estimates assume a weak model until answers are judged.')}
        </span>
      </span>
    )
  }
  const mark = marks[rating.basis]
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium tabular-nums">
          {rich('{rating} of 100', { rating: formatRated(rating) })}
        </span>
        {rating.halfWidth !== null && <span className="text-muted">{t('95 % range')}</span>}
        {mark !== null && (
          <Badge tone={rating.basis === 'sibling' ? 'warn' : 'neutral'}>{mark}</Badge>
        )}
      </p>
      <p>{effortText(rating)}</p>
      <p className="text-muted">
        {t(
          'The chance of a good answer to an ordinary prompt. On LMArena’s scale: {rating} points.',
          { rating: formatPoints(rating) },
        )}
      </p>
    </>
  )
}

function effortText({ effort, basis }: ModelRating): string {
  if (basis === 'user') return t('From the quality that you set.')
  return effort === null
    ? t('This model has no reasoning effort.')
    : t('At reasoning effort “{effort}”, which the provider uses by default.', { effort })
}

function ratingSource({ source, basis }: ModelRating): string {
  return basis === 'user' ? t('you') : (source ?? t('unknown'))
}

function priceSourceText(priceSource: Model['priceSource']): string | null {
  if (priceSource === null) return null
  return priceSource.kind === 'user' ? t('you') : `${priceSource.source}, ${priceSource.asOf}`
}

function EffortList({ efforts }: { efforts: readonly EffortRating[] }) {
  return (
    <ul className="flex flex-wrap gap-x-6">
      {efforts.map((rating) => (
        <li key={rating.effort} className="tabular-nums">
          {rating.effort}: {formatRated({ points: rating.points, halfWidth: null })}
        </li>
      ))}
    </ul>
  )
}

/** Sources differ where only one of them rates an effort. */
function sourceOfEfforts(efforts: readonly EffortRating[]): string {
  const sources = efforts.flatMap(({ source }) => source?.split('; ') ?? [])
  return [...new Set(sources)].join('; ')
}

function lengthText(outputRatio: number): string {
  return t(
    '{count, plural, one {As long as an answer without reasoning} other {About # times as long as an answer without reasoning}}',
    { count: outputRatio },
  )
}
