import { Info } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Model } from '../../../../shared/entities.ts'
import { formatPrice, formatTokens } from '../../../../shared/format.ts'
import type { EffortRating, ModelRating } from '../../../../shared/model-facts.ts'
import { makesEmbeddings } from '../../../../shared/model-abilities.ts'
import { formatPoints } from '../../../../shared/rating-words.ts'
import { Badge } from '../../components/badge.tsx'
import { IconButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'

/** Opens what is known about a model, with the source and date of each fact. */
export function ModelFactsButton({ model }: { model: Model }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <IconButton
        label={`About ${model.id}`}
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
          <Fact name="Embeddings" source={null}>
            {vectorText(model)}
          </Fact>
        ) : (
          <Fact name="Rating" source={rating === null ? null : ratingSource(rating)}>
            <Rating rating={rating} />
          </Fact>
        )}
        {efforts.length > 0 && (
          <Fact name="Rating by reasoning effort" source={sourceOfEfforts(efforts)}>
            <EffortList efforts={efforts} />
          </Fact>
        )}
        {rating !== null && (
          <Fact name="Answer length" source="LiveBench’s token counts, for an ordinary prompt">
            {lengthText(rating.outputRatio)}
          </Fact>
        )}
        <Fact name="Price per million tokens" source={priceSourceText(priceSource)}>
          {formatPrice(model.inputUsdPerMtok, model.outputUsdPerMtok)}
        </Fact>
        <Fact name="Context" source={null}>
          {contextTokens === null ? 'Unknown' : `${formatTokens(contextTokens)} tokens`}
        </Fact>
      </dl>
    </Dialog>
  )
}

function vectorText({ embedding }: Model): string {
  if (!embedding) return 'Makes vectors of texts and cannot chat.'
  const { dimensions, isShortenable } = embedding
  return `Makes vectors with ${isShortenable ? 'up to ' : ''}${dimensions} dimensions and cannot chat.`
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
          <div className="text-xs wrap-anywhere text-muted">Source: {source}</div>
        )}
      </dd>
    </div>
  )
}

const marks: Readonly<Record<ModelRating['basis'], string | null>> = {
  measured: null,
  sibling: 'from a similar model',
  user: 'yours',
}

function Rating({ rating }: { rating: ModelRating | null }) {
  if (rating === null) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        Unknown <Badge tone="warn">not rated</Badge>
        <span className="text-muted">Estimates assume a weak model until answers are judged.</span>
      </span>
    )
  }
  const mark = marks[rating.basis]
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium tabular-nums">{formatPoints(rating)} points</span>
        {rating.halfWidth !== null && <span className="text-muted">95&nbsp;% range</span>}
        {mark !== null && (
          <Badge tone={rating.basis === 'sibling' ? 'warn' : 'neutral'}>{mark}</Badge>
        )}
      </p>
      <p>{effortText(rating)}</p>
      <p className="text-muted">
        On LMArena’s scale, good models of 2024 have 1300 points, and the best of 2026 almost 1500.
      </p>
    </>
  )
}

function effortText({ effort, basis }: ModelRating): string {
  if (basis === 'user') return 'From the quality that you set.'
  return effort === null
    ? 'This model has no reasoning effort.'
    : `At reasoning effort “${effort}”, which the provider uses by default.`
}

function ratingSource({ source, basis }: ModelRating): string {
  return basis === 'user' ? 'you' : (source ?? 'unknown')
}

function priceSourceText(priceSource: Model['priceSource']): string | null {
  if (priceSource === null) return null
  return priceSource.kind === 'user' ? 'you' : `${priceSource.source}, ${priceSource.asOf}`
}

function EffortList({ efforts }: { efforts: readonly EffortRating[] }) {
  return (
    <ul className="flex flex-wrap gap-x-6">
      {efforts.map((rating) => (
        <li key={rating.effort} className="tabular-nums">
          {rating.effort}: {rating.points}
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
  return outputRatio === 1
    ? 'As long as an answer without reasoning'
    : `About ${outputRatio} times as long as an answer without reasoning`
}
