/** The run that the user prepares, and what it would ask and cost. Both survive leaving the page. */
import { create } from 'zustand'
import {
  defaultPrompts,
  thoroughPrompts,
  type PromptSource,
  type TuningPlan,
  type TuningPlanInput,
} from '../../../shared/tuning/tuning-run.ts'
import { call, toCallError, type CallError } from './client.ts'

export const countChoices = [String(defaultPrompts), String(thoroughPrompts), 'other'] as const

export interface TuningDraft {
  /** Null: the first router with several models. */
  routerId: string | null
  from: PromptSource['from']
  file: { name: string; text: string } | null
  /** Whether stored texts may be sent to the models of this router. */
  hasConsent: boolean
  count: (typeof countChoices)[number]
  /** The number as typed, for `other`. */
  otherCount: string
  judge: string | null
  /** Cap as typed; null: the suggested cap. */
  cap: string | null
}

const fresh: TuningDraft = {
  routerId: null,
  from: 'starter',
  file: null,
  hasConsent: false,
  count: '100',
  otherCount: '50',
  judge: null,
  cap: null,
}

export const useTuningDraft = create<TuningDraft>(() => fresh)

/** Consent applies to one source and the models of one router, so a change of either withdraws it. */
export function changeDraft(change: Partial<TuningDraft>): void {
  const { routerId, from } = useTuningDraft.getState()
  const isOther =
    (change.routerId !== undefined && change.routerId !== routerId) ||
    (change.from !== undefined && change.from !== from)
  useTuningDraft.setState({ ...(isOther && { hasConsent: false, cap: null }), ...change })
}

/** Discards the draft, after its run has started. */
export function discardDraft(): void {
  useTuningDraft.setState(fresh)
  clearPlan()
}

/** The draft's fields that decide which requests are sent. */
export type PlannedFields = Omit<TuningDraft, 'cap'> & { routerId: string }

/** What to plan; null while a file or the user's consent is missing. */
export function planInput(fields: PlannedFields): TuningPlanInput | null {
  const { routerId, judge } = fields
  const prompts = sourceOf(fields)
  // The service checks the number, so text that is none becomes NaN.
  const count = Number(fields.count === 'other' ? fields.otherCount || NaN : fields.count)
  return prompts && { routerId, prompts, count, judge }
}

function sourceOf({ from, file, hasConsent }: PlannedFields): PromptSource | null {
  switch (from) {
    case 'starter':
      return { from }
    case 'file':
      return file && { from, ...file }
    case 'requests':
    case 'conversations':
      return hasConsent ? { from, consent: true } : null
  }
}

/** While it is planned again, the last plan stays. */
export type PlanState =
  | { kind: 'none' }
  | { kind: 'planning'; plan: TuningPlan | null }
  | { kind: 'failed'; error: CallError }
  | { kind: 'planned'; plan: TuningPlan; input: TuningPlanInput }

export const usePlan = create<PlanState>(() => ({ kind: 'none' }))

/** Plans a run; nothing is sent. Of two parallel calls, the later one wins. Never rejects. */
export async function loadPlan(input: TuningPlanInput): Promise<void> {
  const before = usePlan.getState()
  const plan = 'plan' in before ? before.plan : null
  const planning: PlanState = { kind: 'planning', plan }
  usePlan.setState(planning, true)
  const planned = await call('tuning:plan', input).then(
    (found): PlanState => ({ kind: 'planned', plan: found, input }),
    (error: unknown): PlanState => ({ kind: 'failed', error: toCallError(error) }),
  )
  if (usePlan.getState() === planning) usePlan.setState(planned, true)
}

/** Removes the plan while the draft is incomplete. */
export function clearPlan(): void {
  usePlan.setState({ kind: 'none' }, true)
}
