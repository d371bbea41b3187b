/** A session as the window shows it: what it adds up to, its line, and the newest of its steps. */
import { isAgentsStep, promptTokensOf, type Session, type SessionRequest } from './session.ts'

export type LineMark = 'compaction' | 'broken' | 'model'

/** One or more steps of the main agent. */
export interface LinePoint {
  /** Tokens of the longest prompt, and the most that a step read from the cache. */
  prompt: number
  read: number
  mark: LineMark | null
}

export interface NumberedRequest extends SessionRequest {
  /** From 1. */
  number: number
}

export interface SessionPage extends Omit<Session, 'requests'> {
  steps: number
  line: LinePoint[]
  /** The newest first. */
  requests: NumberedRequest[]
}

/** With what a person may do about its model. */
export interface ShownSession extends SessionPage {
  /** The model that a person chose; null for none. */
  pinned: string | null
  /** The models of its router. */
  pinnable: string[]
}

/** More points than pixels show nothing more. */
const mostPoints = 300

/** @param steps  how many of them, the newest */
export function pageOf({ requests, ...session }: Session, steps: number): SessionPage {
  const numbered = requests.map((request, index) => ({ ...request, number: index + 1 }))
  return {
    ...session,
    steps: requests.length,
    line: lineOf(requests),
    requests: numbered.slice(-steps).toReversed(),
  }
}

function lineOf(requests: readonly SessionRequest[]): LinePoint[] {
  const steps = requests.filter(({ record, step }) => record.agentId === null && isAgentsStep(step))
  const stride = Math.max(1, Math.ceil(steps.length / mostPoints))
  return Array.from({ length: Math.ceil(steps.length / stride) }, (_, nth) => {
    const group = steps.slice(nth * stride, (nth + 1) * stride)
    const before = steps[nth * stride - 1]
    const marks = group.map((one, index) => markOf(one, index === 0 ? before : group[index - 1]))
    return {
      prompt: Math.max(...group.map(({ step }) => promptTokensOf(step))),
      read: Math.max(...group.map(({ step }) => step.tokens.read)),
      mark: marks.find((mark) => mark !== null) ?? null,
    }
  })
}

/** What happened at a step that is worth a line; null for most. */
function markOf(
  { record, step }: SessionRequest,
  before: SessionRequest | undefined,
): LineMark | null {
  if (step.kind === 'compaction') return 'compaction'
  if (step.cache?.culprit !== undefined) return 'broken'
  return before !== undefined && before.record.modelUsed !== record.modelUsed ? 'model' : null
}
