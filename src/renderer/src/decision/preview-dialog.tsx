import { formatModelAt } from '../../../shared/strings/format.ts'
import type { ExpectedFigures, Preview } from '../../../shared/routers/preview.ts'
import type { TierRecord } from '../../../shared/requests/detail.ts'
import { Dialog } from '../components/dialog.tsx'
import { Adjusted, Excluded, Facts, ModelReasons, Part, Reason } from './decision-parts.tsx'
import { CandidateTable } from './decision-tables.tsx'
import { expectedTexts } from './expected-texts.ts'
import { joinNames } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Explains the decision for a message that is not sent yet. */
export function PreviewDialog({ preview, onClose }: { preview: Preview; onClose: () => void }) {
  return (
    <Dialog
      title={t('Which model would answer?')}
      description={t('A preview: no model was asked, and nothing is counted or billed.')}
      isWide
      onClose={onClose}
    >
      <PreviewExplanation preview={preview} />
    </Dialog>
  )
}

/** The model that would answer, why, and what it is expected to cost. */
export function PreviewExplanation({ preview }: { preview: Preview }) {
  const { model, effort, why, flip, decision } = preview
  const { ranked, excluded, adjusted } = decision
  return (
    <>
      <div className="flex flex-col gap-1">
        <p className="text-lg font-semibold wrap-anywhere text-accent">
          {formatModelAt(model, effort)}
        </p>
        <Reason why={why} flip={flip} />
      </div>
      <Facts facts={factsOf(preview.expected)} />
      <PreviewedCascade preview={preview} />
      <Part title={t('Candidates')}>
        <CandidateTable ranked={ranked} modelUsed={model} />
      </Part>
      <Excluded excluded={excluded} />
      <Skipped skipped={preview.skipped} />
      <Adjusted adjusted={adjusted} />
      <Differences preview={preview} />
    </>
  )
}

function factsOf(expected: ExpectedFigures) {
  const { cost, longAnswerCost, latency, quality, carbon } = expectedTexts(expected)
  return [
    { name: t('Expected cost'), text: cost },
    { name: t('With a long answer'), text: longAnswerCost },
    { name: t('Expected latency'), text: latency },
    { name: t('Expected quality'), text: quality },
    { name: t('CO₂e, estimated'), text: carbon },
  ]
}

const acceptedIf: Readonly<Record<TierRecord['accept'], string>> = {
  agree: t('both models agree'),
  valid_json: t('the answer is valid JSON'),
  tool_call_valid: t('its tool calls match their definitions'),
  not_refused_not_cut_off: t('it is neither a refusal nor cut off'),
  reads_only: t('it only reads'),
}

/** The tiers in the order in which they would be asked. */
function PreviewedCascade({ preview }: { preview: Preview }) {
  const { cascade = [] } = preview.decision
  if (cascade.length === 0) return null
  return (
    <Part title={t('Cheaper first attempts')}>
      <ol className="flex list-inside list-decimal flex-col gap-1 text-sm">
        {cascade.map(({ models, accept, outcome, reason }, index) => (
          // A tier has no id, only a position.
          <li key={index} className="wrap-anywhere">
            <span className="font-medium">{joinNames(models)}</span>{' '}
            <span className="text-muted">
              {outcome === 'passed_over'
                ? t('skipped: {reason}', { reason })
                : t('used if {acceptedIf}', { acceptedIf: acceptedIf[accept] })}
            </span>
          </li>
        ))}
      </ol>
    </Part>
  )
}

/** Better models that cannot be asked now. */
function Skipped({ skipped }: Pick<Preview, 'skipped'>) {
  if (skipped.length === 0) return null
  return (
    <Part title={t('Skipped for now')}>
      <ModelReasons models={skipped} />
    </Part>
  )
}

/** Why the model that answers may be another one. */
function Differences({ preview: { explorationShare, mayHedge } }: { preview: Preview }) {
  if (explorationShare === 0 && !mayHedge) return null
  return (
    <p className="text-xs text-muted">
      {explorationShare > 0 &&
        t(
          'This router sends {percent} % of such messages to another good model, chosen at random.',
          { percent: explorationShare * 100 },
        )}{' '}
      {mayHedge && t('A second model may be tried while the first is slow.')}
    </p>
  )
}
