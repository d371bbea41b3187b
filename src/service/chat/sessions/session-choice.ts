/**
 * Which model a step of a coding agent's session goes to. The model is a free choice where no cache is lost: at the start,
 * after a compaction, after a pause that outlasts the cache. Else it stays, but for the rules that the router has.
 */
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type {
  ChangeSums,
  ForbiddenReason,
  SessionChange,
} from '../../../shared/requests/session-change.ts'
import type { RequestKind, StepClass } from '../../../shared/requests/session-step.ts'
import type { RoutingSettings } from '../../../shared/routers/routing-settings.ts'
import type { Candidate, EstimatedCandidate, RoutingContext } from '../../routing/candidate.ts'
import { cachedTokens, chargesForWriting, isShortened, warmMs } from '../../routing/prompt-cache.ts'
import { expectedPromptTokens } from '../../routing/prompt-size.ts'
import {
  askChange,
  fillNanoUsd,
  mostSwitchShare,
  stepsOfRun,
  stepsOfTurn,
  type AnsweredQuestion,
} from '../../routing/session-arithmetic.ts'
import type { AgentState } from './agent-memory.ts'

export interface SessionMoment {
  kind: RequestKind
  /** Models that can answer, in the strategy's order. */
  ranked: readonly EstimatedCandidate[]
  context: RoutingContext
  /** Whether the request brings a tool's result. */
  awaitsResult: boolean
  rules: Pick<RoutingSettings, 'escalateWhenStuck' | 'checkCommand' | 'stepDown'> & {
    /** Whether the model stays while its cache is warm. */
    keepsWarm: boolean
    /** Steps that a cheaper model needs for one of the dearer, null for too many; null without the gate. */
    gate: ((home: string, cheap: string) => number | null) | null
  }
  /** Null for a subagent that its client does not name. */
  state: AgentState | null
  whyForbidden(to: Candidate): ForbiddenReason | null
}

export interface SessionChoice {
  /** Null where the strategy chooses. */
  model: string | null
  kept: DecisionRecord['kept']
  change: SessionChange | null
}

/** @returns null where no rule of sessions applies */
export function chooseForSession(moment: SessionMoment): SessionChoice | null {
  const { kind, ranked, awaitsResult } = moment
  const { lastAnswer } = moment.context
  const current = ranked.find(({ model }) => model === lastAnswer?.modelId) ?? null
  if (kind === 'main') return awaitsResult ? insideTurn(moment, current) : atTurn(moment, current)
  if (current !== null) return stay(current, awaitsResult ? 'tool' : 'agent')
  return kind === 'subagent' && lastAnswer === null ? free('start', null) : null
}

type Current = EstimatedCandidate | null

function stay({ model }: EstimatedCandidate, kept: DecisionRecord['kept']): SessionChoice {
  return { model, kept, change: null }
}

function free(rule: SessionChange['rule'], current: Current): SessionChoice {
  return { model: null, kept: null, change: { rule, ...(current && { from: current.model }) } }
}

/** The change, unless the contract forbids it. */
function changeTo(
  to: EstimatedCandidate,
  change: SessionChange,
  {
    current,
    kept,
    moment,
  }: { current: Current; kept: DecisionRecord['kept']; moment: SessionMoment },
): SessionChoice | null {
  const forbidden = moment.whyForbidden(to.candidate)
  const recorded = { ...change, ...(current && { from: current.model }) }
  if (forbidden === null) return { model: to.model, kept: null, change: recorded }
  return current && { model: current.model, kept, change: { ...recorded, forbidden } }
}

/** Between a tool's result and the next step. */
function insideTurn(moment: SessionMoment, current: Current): SessionChoice | null {
  const { context } = moment
  // The session's model cannot take the request.
  if (current === null && context.lastAnswer !== null) return null
  const raised = raise(moment, current)
  if (raised !== null) return raised
  if (current === null) return null
  if (moment.rules.gate !== null) return gatedStep(moment, current)
  return cheaperStep(moment, current) ?? stay(current, 'tool')
}

/** Up for the rest of the turn, once: the named check failed, or a mark says that the turn is stuck. */
function raise(moment: SessionMoment, current: Current): SessionChoice | null {
  const { state, ranked } = moment
  const change = state === null || state.isRaised ? null : whyRaised(state, moment)
  const strongest = change && strongestOf(ranked)
  if (change === null || !strongest || strongest.model === current?.model) return null
  const fill = fillOf(strongest, moment)
  const sums = { steps: 0, savedNanoUsd: 0, fillNanoUsd: fill ?? 0, lostNanoUsd: 0 }
  const priced = fill === null ? change : { ...change, sums }
  return changeTo(strongest, priced, { current, kept: 'tool', moment })
}

function whyRaised(
  { progress }: AgentState,
  { rules: { checkCommand, escalateWhenStuck } }: SessionMoment,
): SessionChange | null {
  if (checkCommand !== null && progress.hasFailedCheck) return { rule: 'check_failed' }
  if (!escalateWhenStuck) return null
  // The other marks say little about whether a session fails.
  const mark = progress.marks.find((one) => one === 'edits' || one === 'long')
  return mark === undefined ? null : { rule: 'stuck', mark }
}

const classesOfHome: ReadonlySet<StepClass | null> = new Set(['edit', 'plan', 'finish', 'delegate'])

/** Down for a run of steps that only read, and back for the others. */
function cheaperStep(moment: SessionMoment, current: EstimatedCandidate): SessionChoice | null {
  const { rules, state } = moment
  if (!rules.stepDown || state === null || state.isRaised) return null
  const { lastClass } = state.progress
  const home = homeOf(moment, current)
  if (home !== null) {
    return classesOfHome.has(lastClass) ? back(home, { moment, current, state }) : null
  }
  // The first two steps show what the session is about.
  if (state.steps < 2 || lastClass !== 'explore') return null
  const best = bestCheaper(moment, { current, state, steps: stepsOfRun })
  if (best === null) return null
  const { fillNanoUsd: fill, lostNanoUsd: lost } = best.answer.sums
  if (state.switchNanoUsd + fill + lost > mostSwitchShare * state.costNanoUsd) return null
  const change = { rule: 'saves', sums: best.answer.sums } as const
  return changeTo(best.one, change, { current, kept: 'tool', moment })
}

/** Runs that share a filled cache, because a session reads again and again. */
const visitsOfGate = 4

/** A cheaper model is asked first; the session's own answers when that answer does more than read. */
function gatedStep(moment: SessionMoment, current: EstimatedCandidate): SessionChoice {
  const { state } = moment
  const home = homeOf(moment, current) ?? current
  const best = state && bestBehindGate(moment, { home, state })
  if (state === null || best === null || moment.whyForbidden(best.one.candidate) !== null) {
    if (home === current) return stay(current, 'tool')
    return goHome(home, { current, kept: 'tool', moment }) ?? stay(current, 'tool')
  }
  const change = { rule: 'gate', from: current.model, first: best.one.model } as const
  return { model: home.model, kept: null, change: { ...change, sums: best.answer.sums } }
}

function goHome(
  home: EstimatedCandidate,
  options: { current: Current; kept: DecisionRecord['kept']; moment: SessionMoment },
): SessionChoice | null {
  return changeTo(home, { rule: 'back' }, options)
}

function bestBehindGate(
  moment: SessionMoment,
  { home, state }: { home: EstimatedCandidate; state: AgentState },
): { one: EstimatedCandidate; answer: AnsweredQuestion } | null {
  if (state.isRaised || state.steps < 2 || state.run.isWithout) return null
  const asked = { state, steps: stepsOfRun, visits: visitsOfGate }
  const best = bestCheaper(moment, { current: home, ...asked })
  if (best === null) return null
  const { fillNanoUsd: fill, lostNanoUsd: lost } = best.answer.sums
  return state.switchNanoUsd + fill + lost > mostSwitchShare * state.costNanoUsd ? null : best
}

function homeOf({ ranked, state }: SessionMoment, current: EstimatedCandidate): Current {
  const home = ranked.find(({ model }) => model === state?.home?.model) ?? null
  return home?.model === current.model ? null : home
}

/** Nearly free while the first model's cache lives; else the session stays where it is when changes cost too much. */
function back(
  home: EstimatedCandidate,
  {
    moment,
    current,
    state,
  }: { moment: SessionMoment; current: EstimatedCandidate; state: AgentState },
): SessionChoice | null {
  const promptTokens = state.home?.promptTokens ?? 0
  const cached = cachedIn(home, moment)
  const lost = fillNanoUsd(home.candidate.price, { promptTokens, cachedTokens: cached }) ?? 0
  const spent = state.switchNanoUsd + lost
  if (lost > 0 && spent > mostSwitchShare * (state.costNanoUsd + lost)) return null
  const sums = { steps: 0, savedNanoUsd: 0, fillNanoUsd: 0, lostNanoUsd: lost }
  const kept = moment.awaitsResult ? 'tool' : 'warm'
  return changeTo(home, { rule: 'back', sums }, { current, kept, moment })
}

/** At a person's message. */
function atTurn(moment: SessionMoment, current: Current): SessionChoice | null {
  const { state, rules, ranked } = moment
  const rule = whyFree(moment)
  if (rule !== null) return freeChoice(rule, { moment, current })
  if (current === null) return null
  const cheapest = rules.checkCommand === null ? null : cheapestOf(ranked)
  if (cheapest !== null && cheapest.model !== current.model && state !== null) {
    const answer = question(moment, { from: current, to: cheapest, state, steps: stepsOfTurn })
    if (answer !== null && answer.gainNanoUsd > 0) {
      const change = { rule: 'cheap_first', sums: answer.sums } as const
      return changeTo(cheapest, change, { current, kept: 'warm', moment })
    }
  }
  const home = homeOf(moment, current)
  // With the gate, the session's own model opens every turn, whatever its cache costs.
  if (home !== null && rules.gate !== null) return goHome(home, { current, kept: 'warm', moment })
  const returned = home && state && back(home, { moment, current, state })
  if (returned) return returned
  return rules.keepsWarm ? stay(current, 'warm') : null
}

function whyFree({ context, state }: SessionMoment): 'start' | 'compacted' | 'cold' | null {
  const { lastAnswer, promptTokens } = context
  if (lastAnswer === null) return 'start'
  if (state?.isCompacted === true || isShortened(promptTokens, lastAnswer)) return 'compacted'
  const { modelId, effort = null } = lastAnswer
  return cachedTokens({ modelId, effort }, promptTokens, lastAnswer) === 0 ? 'cold' : null
}

function freeChoice(
  rule: 'start' | 'compacted' | 'cold',
  { moment, current }: { moment: SessionMoment; current: Current },
): SessionChoice | null {
  const { rules, ranked } = moment
  if (rules.checkCommand === null) {
    const [first] = ranked
    const isOther = first !== undefined && current !== null && first.model !== current.model
    const kept = isOther ? changeTo(first, { rule }, { current, kept: 'agent', moment }) : null
    return kept?.change?.forbidden === undefined ? free(rule, current) : kept
  }
  const cheapest = cheapestOf(ranked)
  if (cheapest === null || cheapest.model === current?.model) return free(rule, current)
  const change = changeTo(cheapest, { rule: 'cheap_first' }, { current, kept: 'agent', moment })
  return change ?? free(rule, current)
}

/** The best expected quality; of equal ones the dearest. */
function strongestOf(ranked: readonly EstimatedCandidate[]): Current {
  return (
    ranked.toSorted(
      (a, b) =>
        b.estimate.quality - a.estimate.quality ||
        b.candidate.price.outputUsdPerMtok - a.candidate.price.outputUsdPerMtok,
    )[0] ?? null
  )
}

function cheapestOf(ranked: readonly EstimatedCandidate[]): Current {
  return ranked.toSorted((a, b) => a.estimate.costNanoUsd - b.estimate.costNanoUsd)[0] ?? null
}

interface Asked {
  state: AgentState
  steps: number
  visits?: number
}

function bestCheaper(
  moment: SessionMoment,
  { current, ...asked }: Asked & { current: EstimatedCandidate },
): { one: EstimatedCandidate; answer: AnsweredQuestion } | null {
  let best: { one: EstimatedCandidate; answer: AnsweredQuestion } | null = null
  for (const one of moment.ranked) {
    if (one.model === current.model) continue
    const answer = question(moment, { from: current, to: one, ...asked })
    if (answer === null || answer.gainNanoUsd <= (best?.answer.gainNanoUsd ?? 0)) continue
    best = { one, answer }
  }
  return best
}

function question(
  moment: SessionMoment,
  { from, to, state, steps, visits }: Asked & { from: EstimatedCandidate; to: EstimatedCandidate },
): AnsweredQuestion | null {
  const { context, rules } = moment
  const { writesCache, lastAnswer } = context
  const measured = rules.gate?.(from.model, to.model)
  if (measured === null) return null
  const isUncached = ({ candidate }: EstimatedCandidate) =>
    chargesForWriting(candidate.price) && writesCache?.(candidate) !== true
  if (isUncached(from) || isUncached(to)) return null
  const promptTokens = expectedPromptTokens(from.candidate, context)
  const room = Math.max(0, (from.candidate.contextTokens ?? Infinity) - promptTokens)
  const { appendedTokens, stepsSinceCompaction, stepMs } = state
  return askChange({
    from: from.candidate.price,
    to: to.candidate.price,
    promptTokens,
    cachedTokens: cachedIn(to, moment),
    outputTokens: from.estimate.outputTokens,
    appendedTokens,
    laterSteps: Math.min(stepsSinceCompaction, room / Math.max(1, appendedTokens)),
    losesCache: steps * stepMs > (lastAnswer?.lifetimeMs ?? warmMs),
    steps,
    stepsForOne: measured,
    visits,
  })
}

function cachedIn({ candidate }: EstimatedCandidate, { context }: SessionMoment): number {
  const effort = candidate.effort ?? context.effort
  const promptTokens = expectedPromptTokens(candidate, context)
  return cachedTokens({ modelId: candidate.modelId, effort }, promptTokens, context.lastAnswer)
}

function fillOf(to: EstimatedCandidate, moment: SessionMoment): ChangeSums['fillNanoUsd'] | null {
  const promptTokens = expectedPromptTokens(to.candidate, moment.context)
  return fillNanoUsd(to.candidate.price, { promptTokens, cachedTokens: cachedIn(to, moment) })
}
