/** Checks that the variables of a template exist at its place, so that rendering finds all of them. */
import { graphsOf, type Step } from '../../shared/agents/agent.ts'
import type { VariablePath } from './templates.ts'

export interface Visible {
  /** Names that are visible besides input, messages and steps: item and index, iteration and previous, candidates. */
  locals: readonly string[]
  steps: ReadonlyMap<string, Step>
  /** Steps that exist but may not have ended at this place. */
  later: ReadonlySet<string>
}

/** @returns the error in words; null for a known variable */
export function issueOfVariable([root, ...rest]: VariablePath, visible: Visible): string | null {
  if (root === 'steps') return issueOfStep(rest, visible)
  const known = ['input', 'messages', ...visible.locals]
  if (typeof root === 'string' && known.includes(root)) return null
  return `there is no variable "${root ?? ''}" here; available: ${[...known, 'steps.<id>.output'].join(', ')}`
}

function issueOfStep([id, field]: VariablePath, { steps, later }: Visible): string | null {
  if (typeof id !== 'string') return 'name a step by its id: steps.<id>.output'
  const step = steps.get(id)
  if (!step) {
    return later.has(id)
      ? `the step "${id}" may not have finished here; add it to "needs"`
      : `there is no step "${id}" here`
  }
  if (field === 'output') return null
  if (field !== 'json') return `steps.${id} has only output and json`
  return givesJson(step)
    ? null
    : `the step "${id}" returns no JSON; add a json_schema or use output`
}

/** Whether a step's `json` can be a value other than null. */
export function givesJson(step: Step): boolean {
  switch (step.type) {
    case 'prompt':
      return step.json_schema !== undefined
    case 'map':
      return true
    case 'branch':
    case 'loop':
      return graphsOf(step).every((steps) => {
        const last = steps.at(-1)
        return last !== undefined && givesJson(last)
      })
    default:
      return false
  }
}
