import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { leastPrompts, mostPrompts } from '../../../../shared/tuning/tuning-run.ts'
import { NumberField } from '../../components/number-field.tsx'
import { Card, Loaded, Page } from '../../components/page.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { Select } from '../../components/select.tsx'
import { errorOf } from '../../stores/client.ts'
import { useUsualRouter } from '../../stores/last-answer.ts'
import { useRouters } from '../../stores/routers.ts'
import {
  changeDraft,
  clearPlan,
  loadPlan,
  planInput,
  usePlan,
  useTuningDraft,
  type PlannedFields,
  type TuningDraft,
} from '../../stores/tuning-draft.ts'
import { useChatModels } from '../../stores/models.ts'
import { JudgeField } from './judge-field.tsx'
import { PlanCard } from './plan-card.tsx'
import { PromptsField } from './prompts-field.tsx'
import { BackToRuns } from './run-page.tsx'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { formatCount } from '../../../../shared/strings/format.ts'
import { rich } from '../../components/rich.tsx'

/** Prepares a run: what it asks, what it costs, and its cap. */
export function NewRunPage() {
  const routers = useRouters()
  const draft = useTuningDraft()
  // With a single model there is nothing to choose between.
  const several = (routers.items ?? []).filter(({ models }) => models.length > 1)
  const likely = useUsualRouter(several) ?? routers.items?.[0]
  const router = routers.items?.find(({ id }) => id === draft.routerId) ?? likely
  return (
    <Page
      title={t('New run')}
      intro={t('Nothing is sent before you start the run.')}
      actions={router && <BackToRuns routerId={router.id} />}
    >
      <Loaded list={routers} what={t('routers')}>
        {(items) =>
          router ? <RunForm draft={draft} router={router} routers={items} /> : <NoRouter />
        }
      </Loaded>
    </Page>
  )
}

function NoRouter() {
  return (
    <p className="text-sm text-muted">
      {t('There is no router to tune.')}{' '}
      {rich('{link} first.', {
        link: (
          <Link to="/routers/new" className="text-accent underline">
            {t('Create a router')}
          </Link>
        ),
      })}
    </p>
  )
}

interface RunFormProps {
  draft: TuningDraft
  router: Router
  routers: readonly Router[]
}

function RunForm({ draft, router, routers }: RunFormProps) {
  const navigate = useNavigate()
  usePlanOf(draft, router)
  const plan = usePlan()
  const asked = useChatModels(router.models)
  const error = plan.kind === 'failed' ? plan.error : null
  return (
    <form className="flex flex-col gap-5" onSubmit={(event) => event.preventDefault()}>
      <Card className="flex flex-col gap-5">
        <div className="max-w-96">
          <Select
            label={t('Router')}
            choices={routers.map(({ id, name, models }) => ({
              value: id,
              label: name,
              hint: t('{count, plural, one {1 model} other {# models}}', { count: models.length }),
            }))}
            value={router.id}
            onChange={(routerId) => changeDraft({ routerId })}
          />
          <p className="mt-1 text-xs wrap-anywhere text-muted">
            {asked.length === 1
              ? t(
                  '{asked} is its only model for chats. A run measures it, but there is nothing to choose between.',
                  { asked: asked.join('') },
                )
              : t(
                  'Each prompt goes to its {count, plural, one {# model} other {# models}}: {asked}.',
                  {
                    count: asked.length,
                    asked: joinWords(asked),
                  },
                )}
          </p>
        </div>
        <PromptsField draft={draft} router={router} error={errorOf(error, 'prompts')} />
        <CountField draft={draft} error={errorOf(error, 'count')} />
        <JudgeField draft={draft} router={router} error={errorOf(error, 'judge')} />
      </Card>
      <PlanCard
        draft={draft}
        router={router}
        onStarted={(runId) => void navigate({ to: '/tune/$runId', params: { runId } })}
      />
    </form>
  )
}

/** Typing a number must not plan a run for each digit. */
const pauseMs = 250

/** Plans the run again whenever what it asks changes. */
function usePlanOf(draft: TuningDraft, router: Router): void {
  const { from, file, hasConsent, count, otherCount, judge } = draft
  const fields = useMemo<PlannedFields>(
    () => ({ routerId: router.id, from, file, hasConsent, count, otherCount, judge }),
    [router, from, file, hasConsent, count, otherCount, judge],
  )
  useEffect(() => {
    const input = planInput(fields)
    if (input === null) return clearPlan()
    const timer = setTimeout(() => void loadPlan(input), pauseMs)
    return () => clearTimeout(timer)
  }, [fields])
}

const counts = [
  { value: '100', label: t('100 prompts'), hint: t('Enough for models with public ratings') },
  {
    value: '300',
    label: t('300 prompts'),
    hint: t('For models without ratings, or work of many kinds'),
  },
  {
    value: 'other',
    label: t('Other number'),
    hint: t('Fewer than 50 are too few to rank the models'),
  },
] as const

function CountField({ draft, error }: { draft: TuningDraft; error: string | null }) {
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label={t('How many')}
        choices={counts}
        value={draft.count}
        onChange={(count) => changeDraft({ count, cap: null })}
        error={draft.count === 'other' ? null : error}
        isWide
      />
      {draft.count === 'other' && (
        <div className="max-w-60">
          <NumberField
            label={t('Number of prompts')}
            hint={t('{least} to {most}', {
              least: formatCount(leastPrompts),
              most: formatCount(mostPrompts),
            })}
            isWhole
            value={draft.otherCount}
            error={error}
            onChange={(otherCount) => changeDraft({ otherCount, cap: null })}
          />
        </div>
      )}
    </div>
  )
}
