/** Why a step of a coding agent's session went to its model, in words. */
import { formatUsd } from '../strings/format.ts'
import { t } from '../strings/strings.ts'
import type { ChangeSums, ForbiddenReason, SessionChange, StuckMark } from './session-change.ts'
import type { ModelReason, SessionStep } from './session-step.ts'

export function whyWords({
  why,
  change,
  routedTo,
  agentType,
}: Pick<SessionStep, 'why' | 'change' | 'routedTo' | 'agentType'>): string {
  const words = change === undefined ? reasonWords[why] : changeWords(why, change)
  if (routedTo === undefined) return words
  const type = agentType ?? t('other types')
  return t('{words}, by {target} for {type}', { words, target: routedTo, type })
}

export const stuckWords: Readonly<Record<StuckMark, string>> = {
  repeat: t('stuck? repeats a call'),
  errors: t('stuck? many errors'),
  edits: t('stuck: 15 edits'),
  long: t('stuck: over 50 steps'),
}

const reasonWords: Readonly<Record<ModelReason, string>> = {
  tool: t('Kept: its tool’s result'),
  near: t('Kept: warm cache, near enough'),
  warm: t('Kept: warm cache'),
  agent: t('Kept: the agent’s model'),
  session: t('Pinned to the session'),
  pinned: t('Named by the request'),
  look: t('A first look'),
  explored: t('Explored'),
  only: t('The only one'),
  chosen: t('Chosen'),
  start: t('Chosen: the agent begins'),
  compacted: t('Chosen: after a compaction'),
  cold: t('Chosen: the cache is cold'),
  stuck: t('Up: the turn is stuck'),
  check_failed: t('Up: the check failed'),
  cheap_first: t('Down: cheap until the check fails'),
  saves: t('Down: it saves'),
  back: t('Back: an edit or your message'),
  gate: t('Gate: a cheaper model was asked first'),
  forbidden: t('Kept: a change is forbidden'),
}

const forbiddenWords: Readonly<Record<ForbiddenReason, string>> = {
  open_calls: t('Kept: a call has no result yet'),
  vendor_state: t('Kept: its vendor holds the conversation'),
  vendor_tools: t('Kept: its vendor’s tools are open'),
  thinking: t('Kept: its own thinking must begin the turn'),
  parameters: t('Kept: the other model takes fewer parameters'),
  safeguards: t('Kept: the other vendor checks no actions'),
}

function changeWords(why: ModelReason, { forbidden, mark, sums }: SessionChange): string {
  if (forbidden !== undefined) return forbiddenWords[forbidden]
  if (why === 'stuck' && mark !== undefined) return t('Up: {mark}', { mark: stuckWords[mark] })
  return sums !== undefined && sums.steps > 0 ? savingWords(why, sums) : reasonWords[why]
}

function savingWords(
  why: ModelReason,
  { steps, savedNanoUsd, fillNanoUsd, lostNanoUsd }: ChangeSums,
): string {
  return t('{words}: {saved} in {steps} steps, for {fill}', {
    words: reasonWords[why],
    saved: formatUsd((steps * savedNanoUsd) / 1e9),
    steps: String(steps),
    fill: formatUsd((fillNanoUsd + lostNanoUsd) / 1e9),
  })
}
