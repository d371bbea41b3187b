import { useId } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import {
  leastPrompts,
  type TuningPlan,
  type TuningPlanInput,
} from '../../../../shared/tuning/tuning-run.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { Card } from '../../components/page.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { Facts, ModelReasons } from '../../decision/decision-parts.tsx'
import { formatAbout } from '../../decision/estimates.ts'
import { errorBeside, errorOf, type CallError } from '../../stores/client.ts'
import {
  changeDraft,
  discardDraft,
  loadPlan,
  planInput,
  usePlan,
  type TuningDraft,
} from '../../stores/tuning-draft.ts'
import { startRun } from '../../stores/tuning.ts'
import { capWarning, startText, suggestedCap } from './cap.ts'
import { PlanProblem } from './plan-problem.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface PlanCardProps {
  draft: TuningDraft
  router: Router
  onStarted: (runId: string) => void
}

/** What the run would ask and cost, its cap, and its start. */
export function PlanCard(props: PlanCardProps) {
  const { draft, router } = props
  const id = useId()
  const state = usePlan()
  const plan = 'plan' in state ? state.plan : null
  return (
    <section aria-labelledby={`${id}-title`} aria-busy={state.kind === 'planning'}>
      <Card className="flex flex-col gap-4">
        <h2 id={`${id}-title`} className="font-semibold">
          {t('Estimate')}
        </h2>
        {state.kind === 'failed' && (
          <PlanFailure error={state.error} draft={draft} router={router} />
        )}
        {state.kind === 'none' && <p className="text-sm text-muted">{missingText(draft)}</p>}
        {state.kind === 'planning' && plan === null && (
          <p className="text-sm text-muted">{t('Estimating…')}</p>
        )}
        {plan !== null && (
          <Planned
            {...props}
            plan={plan}
            input={state.kind === 'planned' ? state.input : null}
            key={plan.routerId}
          />
        )}
      </Card>
    </section>
  )
}

function missingText({ from }: TuningDraft): string {
  return from === 'file'
    ? t('Choose a file to see the number of prompts and the cost.')
    : t('Agree above to see the number of prompts and the cost.')
}

/** Fields show their own errors; here is the rest, with a way to try again. */
function PlanFailure({
  error,
  draft,
  router,
}: Pick<PlanCardProps, 'draft' | 'router'> & { error: CallError }) {
  const other = errorBeside(error, ['prompts', 'count', 'judge'])
  if (other === null) {
    return <p className="text-sm text-muted">{t('Correct the field above to see the cost.')}</p>
  }
  const input = planInput({ ...draft, routerId: router.id })
  return (
    <ErrorNote error={other}>
      {input && (
        <Button size="small" onClick={() => void loadPlan(input)}>
          {t('Try again')}
        </Button>
      )}
    </ErrorNote>
  )
}

interface PlannedProps extends PlanCardProps {
  plan: TuningPlan
  /** Null while a newer plan is loading. */
  input: TuningPlanInput | null
}

function Planned(props: PlannedProps) {
  const { plan, draft, router } = props
  const { chosen } = plan.prompts
  return (
    <>
      {chosen > 0 && (
        <div aria-live="polite">
          <Facts facts={factsOf(plan)} />
        </div>
      )}
      <PlanProblem plan={plan} draft={draft} router={router} />
      {plan.leftOut.length > 0 && (
        <section className="flex flex-col gap-1">
          <h3 className="text-sm font-medium">{t('Models that cannot be asked')}</h3>
          <ModelReasons models={plan.leftOut} />
        </section>
      )}
      {chosen >= leastPrompts && (
        <>
          {plan.notes.length > 0 && (
            <ul className="flex list-disc flex-col gap-1 pl-4 text-sm wrap-anywhere text-muted">
              {plan.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Start {...props} />
        </>
      )}
    </>
  )
}

function factsOf({ cost, prompts, models, expectedMs }: TuningPlan) {
  const { chosen, checked, judged, duplicates } = prompts
  const all = formatCount(chosen)
  const graded =
    judged === 0 ? all : t('{all} ({checked} checked, {judged} judged)', { all, checked, judged })
  return [
    { name: t('Prompts'), text: graded },
    ...(duplicates > 0 ? [{ name: t('Duplicates left out'), text: formatCount(duplicates) }] : []),
    { name: t('Models'), text: formatCount(models.length) },
    ...costFacts(cost),
    { name: t('Expected time'), text: formatAbout('ms', expectedMs) },
  ]
}

function costFacts({ lowUsd, expectedUsd, highestUsd }: TuningPlan['cost']) {
  if (highestUsd === 0) return [{ name: t('Cost'), text: t('free') }]
  return [
    { name: t('Low cost'), text: formatUsd(lowUsd) },
    { name: t('Expected cost'), text: formatUsd(expectedUsd) },
    { name: t('Highest cost'), text: formatUsd(highestUsd) },
  ]
}

function Start({ plan, input, draft, onStarted }: PlannedProps) {
  const isFree = plan.cost.highestUsd === 0
  const cap = draft.cap ?? (isFree ? '0' : suggestedCap(plan))
  const capUsd = readNumber(cap)
  const { run, isRunning, error } = useAction(async (ready: TuningPlanInput) => {
    const { id } = await startRun({ ...ready, capUsd: capUsd ?? NaN })
    discardDraft()
    onStarted(id)
  })
  const warning = capWarning(capUsd ?? NaN, plan)
  const other = error && errorBeside(error, ['capUsd'])
  return (
    <>
      {!isFree && (
        <div className="max-w-prose">
          <NumberField
            label={t('Cap')}
            unit={t('US dollars')}
            hint={
              warning ??
              t(
                'Never exceeded: Modelport reserves the highest cost of a request before it sends it. What is not needed is not spent.',
              )
            }
            value={cap}
            error={errorOf(error, 'capUsd')}
            onChange={(text) => changeDraft({ cap: text })}
            className="max-w-40"
          />
        </div>
      )}
      {other && <ErrorNote error={other} />}
      <div>
        <Button
          look="primary"
          disabled={isRunning || input === null}
          onClick={() => input && run(input)}
        >
          {startText(plan.prompts.chosen, capUsd)}
        </Button>
      </div>
    </>
  )
}
