/** Which variables a template may name at its place, so that none is missing when it is filled in. */
import { graphsOf, type Step } from '../../shared/agent.ts'
import type { VariablePath } from './templates.ts'

export interface Visible {
  /** Besides input, messages and steps: item and index, iteration and previous, candidates. */
  locals: readonly string[]
  steps: ReadonlyMap<string, Step>
  /** Steps that are there but not over yet at this place. */
  later: ReadonlySet<string>
}

/** @returns what is wrong with the name, in words; null when it can be looked up */
export function faultOfVariable([root, ...rest]: VariablePath, visible: Visible): string | null {
  if (root === 'steps') return faultOfStep(rest, visible)
  const known = ['input', 'messages', ...visible.locals]
  if (typeof root === 'string' && known.includes(root)) return null
  return `there is no variable "${root ?? ''}" here: ${[...known, 'steps.<id>.output'].join(', ')}`
}

function faultOfStep([id, field]: VariablePath, { steps, later }: Visible): string | null {
  if (typeof id !== 'string') return 'a step is named by its id: steps.<id>.output'
  const step = steps.get(id)
  if (!step) {
    return later.has(id)
      ? `the step "${id}" need not be over here: add it to "needs"`
      : `there is no step "${id}" here`
  }
  if (field === 'output') return null
  if (field !== 'json') return `a step has output and json: steps.${id}.output`
  return givesJson(step) ? null : `the step "${id}" gives no JSON: add a json_schema, or use output`
}

/** Whether its `json` is a value and not always null. */
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
