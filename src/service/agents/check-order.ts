/** Checks that `needs` has no cycle and that every step leads to the last one. */
import type { Step } from '../../shared/agents/agent.ts'
import type { Issue } from './compiled.ts'

/** The steps that have ended when a step starts, by the step's id. @param steps  of one graph */
export function stepsBefore(steps: readonly Step[]): Map<string, Set<string>> {
  const needs = new Map(steps.map((step) => [step.id, step.needs]))
  const before = new Map<string, Set<string>>()
  const collect = (id: string, into: Set<string>) => {
    for (const needed of needs.get(id) ?? []) {
      if (into.has(needed)) continue
      into.add(needed)
      collect(needed, into)
    }
  }
  for (const { id } of steps) {
    const found = new Set<string>()
    collect(id, found)
    before.set(id, found)
  }
  return before
}

export function issuesOfOrder(steps: readonly Step[], path: Issue['path']): Issue[] {
  const known = new Set(steps.map(({ id }) => id))
  const before = stepsBefore(steps)
  const last = steps.at(-1)
  const leading = before.get(last?.id ?? '') ?? new Set()
  return steps.flatMap((step, index) => {
    const issues: Issue[] = []
    const at = (...more: (string | number)[]) => [...path, index, ...more]
    for (const [place, needed] of step.needs.entries()) {
      const message = issueOfNeed(step, needed, { place, known })
      if (message !== null) issues.push({ path: at('needs', place), message })
    }
    const { id } = step
    if (before.get(id)?.has(id)) {
      issues.push({ path: at('needs'), message: `the step "${id}" waits for itself` })
    } else if (step !== last && !leading.has(id)) {
      const message = `the step "${id}" is not used: the last step, "${last?.id}", does not need it`
      issues.push({ path: at('id'), message })
    }
    return issues
  })
}

function issueOfNeed(
  { id, needs }: Step,
  needed: string,
  { place, known }: { place: number; known: ReadonlySet<string> },
): string | null {
  if (needed === id) return `the step "${id}" waits for itself`
  if (!known.has(needed)) return `there is no step "${needed}" in the same list`
  return needs.indexOf(needed) === place ? null : `"${needed}" appears twice`
}
