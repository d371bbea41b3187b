import type { Draft, DraftGraph, DraftStep, Path } from './draft.ts'

/** The variables that a template of this step can use, as hints. The service validates templates. */
export function variablesOf(draft: Draft, path: Path): string[] {
  const names = ['input']
  let graph: DraftGraph | undefined = draft.graph
  while (graph) {
    const within: DraftGraph = graph
    const step: DraftStep | undefined = within.steps.find(({ path: place }) =>
      place.every((part, index) => path[index] === part),
    )
    if (!step) break
    names.push(...stepsBefore(step, within.steps).flatMap(outputsOf))
    if (step.path.length === path.length) break
    if (step.type === 'map') names.push('item', 'index')
    if (step.type === 'loop') names.push('iteration', 'previous')
    graph = step.graphs.find(({ path: place }) =>
      place.every((part, index) => path[index] === part),
    )
  }
  return names
}

function outputsOf({ id, fields }: DraftStep): string[] {
  const output = `steps.${id}.output`
  return fields['json_schema'] === undefined ? [output] : [output, `steps.${id}.json`]
}

function stepsBefore(step: DraftStep, all: readonly DraftStep[]): DraftStep[] {
  const found = new Set<DraftStep>()
  const collect = ({ needs }: DraftStep) => {
    for (const other of all) {
      if (!needs.includes(other.id) || found.has(other) || other === step) continue
      found.add(other)
      collect(other)
    }
  }
  collect(step)
  return all.filter((other) => found.has(other))
}
