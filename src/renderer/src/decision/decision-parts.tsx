/** The parts of an explained decision, for a request that was sent and for one that is only previewed. */
import type { ReactNode } from 'react'
import type { ExplainedDetail, TierRecord } from '../../../shared/requests/detail.ts'
import { signalInWords } from '../../../shared/requests/signal-words.ts'
import { joinNames } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The decision in a sentence, and what would change it. */
export function Reason({ why, flip }: Pick<ExplainedDetail, 'why' | 'flip'>) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium wrap-anywhere">{why}</p>
      {flip !== null && (
        <p className="text-sm wrap-anywhere text-muted first-letter:uppercase">{flip}.</p>
      )}
    </div>
  )
}

/** Named figures in a box. */
export function Facts({ facts }: { facts: readonly { name: string; text: string }[] }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2 rounded-lg bg-sunken px-3 py-2 text-sm">
      {facts.map(({ name, text }) => (
        <div key={name} className="flex flex-col">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="tabular-nums">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The models that could not be chosen. */
export function Excluded({ excluded }: Pick<ExplainedDetail, 'excluded'>) {
  if (excluded.length === 0) return null
  return (
    <Part title={t('Excluded models')}>
      <ModelReasons models={excluded} />
    </Part>
  )
}

/** Models with the reason why each is not used. */
export function ModelReasons({ models }: { models: readonly { model: string; reason: string }[] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {models.map(({ model, reason }) => (
        <li key={model} className="wrap-anywhere">
          <span className="font-medium">{model}</span> <span className="text-muted">{reason}</span>
        </li>
      ))}
    </ul>
  )
}

/** The cascade: models that were asked before the strategy chose. */
export function CascadeAttempts({ tiers }: { tiers: readonly TierRecord[] }) {
  if (tiers.length === 0) return null
  return (
    <Part title={t('Cheaper first attempts')}>
      <ol className="flex list-inside list-decimal flex-col gap-1 text-sm">
        {tiers.map(({ models, outcome, reason }, index) => (
          // A tier has no id, only a position.
          <li key={index} className="wrap-anywhere">
            <span className="font-medium">{joinNames(models)}</span> {outcome.replaceAll('_', ' ')}
            {reason !== null && <span className="text-muted">: {reason}</span>}
          </li>
        ))}
      </ol>
    </Part>
  )
}

/** Parameters that were changed before they were sent. */
export function Adjusted({ adjusted }: Pick<ExplainedDetail, 'adjusted'>) {
  if (adjusted.length === 0) return null
  return (
    <Part title={t('Adjusted parameters')}>
      <ul className="flex flex-col gap-1 text-sm">
        {adjusted.map(({ parameter, change, reason }) => (
          <li key={parameter} className="wrap-anywhere">
            <code className="font-mono text-xs">{parameter}</code> {change.replaceAll('_', ' ')}{' '}
            <span className="text-muted">({reason})</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** What the answers showed by themselves, which `adaptive` routers learn from. */
export function Signals({ signals }: Pick<ExplainedDetail, 'signals'>) {
  if (signals.length === 0) return null
  return (
    <Part title={t('What the answer shows by itself')}>
      <ul className="flex flex-col gap-1 text-sm">
        {signals.map(({ name, model, label, weight }, index) => (
          // A model may have several, such as one for each tier.
          <li key={index} className="wrap-anywhere">
            <span className="font-medium">{model}</span>: {signalInWords({ name, label })}{' '}
            <span className="text-muted">
              {label === 1
                ? t('(weighs {weight} good ratings)', { weight })
                : t('(weighs {weight} bad ratings)', { weight })}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** A titled section of the dialog. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  )
}
