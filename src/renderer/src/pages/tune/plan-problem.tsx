import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { leastPrompts, type TuningPlan } from '../../../../shared/tuning-run.ts'
import { Note } from '../../components/error-note.tsx'
import type { TuningDraft } from '../../stores/tuning-draft.ts'

interface PlanProblemProps {
  plan: TuningPlan
  draft: TuningDraft
  router: Router
}

/** Why fewer prompts can be used than there are, or none, and what to do about it. */
export function PlanProblem({ plan, draft, router }: PlanProblemProps) {
  const text = problemText({ plan, draft, router })
  if (text === null) return null
  return (
    <Note kind="warn">
      <span className="min-w-0 flex-1">{text}</span>
    </Note>
  )
}

function problemText({ plan, draft, router }: PlanProblemProps): ReactNode {
  const { found, chosen, ungradable } = plan.prompts
  if (found === 0 && draft.from === 'requests') return <NoRequests router={router} />
  if (found === 0)
    return `There are no conversations with ${router.name} yet. Choose other prompts.`
  const unchecked = ungradable === 1 ? '1 prompt has' : `${ungradable} prompts have`
  const judge =
    plan.judge === null
      ? 'Choose a judge to use them.'
      : 'The judge needs two models of other makers to compare. Choose another judge.'
  if (chosen < leastPrompts) {
    const usable = chosen === 1 ? '1 prompt can' : `${chosen} prompts can`
    const reason = ungradable > 0 ? ` ${unchecked} no check. ${judge}` : ''
    return `${usable} be used, and a run needs ${leastPrompts}.${reason}`
  }
  return ungradable > 0 ? `${unchecked} no check. ${judge}` : null
}

function NoRequests({ router }: { router: Router }) {
  return (
    <>
      No requests of {router.name} are stored. Turn on content logging in the{' '}
      <Link to="/routers/$routerId" params={{ routerId: router.id }} className="underline">
        router’s setup
      </Link>
      , or choose other prompts.
    </>
  )
}
