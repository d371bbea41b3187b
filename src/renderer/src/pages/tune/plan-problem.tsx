import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { leastPrompts, type TuningPlan } from '../../../../shared/tuning/tuning-run.ts'
import { Note } from '../../components/error-note.tsx'
import type { TuningDraft } from '../../stores/tuning-draft.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

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
    return t('There are no conversations with {name} yet. Choose other prompts.', {
      name: router.name,
    })
  const unchecked = t('{count, plural, one {1 prompt has} other {# prompts have}} no check.', {
    count: ungradable,
  })
  const judge =
    plan.judge === null
      ? t('Choose a judge to use them.')
      : t('The judge needs two models from other vendors to compare. Choose another judge.')
  const reason = ungradable > 0 ? [unchecked, judge] : []
  if (chosen >= leastPrompts) return reason.length > 0 ? joinSentences(reason) : null
  const usable = t(
    '{count, plural, one {1 prompt can} other {# prompts can}} be used, and a run needs {leastPrompts}.',
    { count: chosen, leastPrompts },
  )
  return joinSentences([usable, ...reason])
}

function NoRequests({ router }: { router: Router }) {
  return (
    <>
      {rich(
        'No requests of {name} are stored. Turn on content logging in the {link}, or choose other prompts.',
        {
          name: router.name,
          link: (
            <Link to="/routers/$routerId" params={{ routerId: router.id }} className="underline">
              {t('router’s setup')}
            </Link>
          ),
        },
      )}
    </>
  )
}
