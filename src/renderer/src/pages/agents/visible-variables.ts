import type { DraftGraph, DraftStep, Path } from './draft.ts'

/** The variables that a template of this step can use, as suggestions. The service validates templates. */
export function variablesOf(draft: DraftGraph, path: Path): string[] {
  const names = ['input', 'messages']
  let graph: DraftGraph | undefined = draft
  while (graph) {
    const within: DraftGraph = graph
    const step: DraftStep | undefined = within.steps.find(({ path: place }) => isIn(path, place))
    if (!step) break
    names.push(...stepsBefore(step, within.steps).flatMap(outputsOf))
    if (step.type === 'map' && path[step.path.length] === 'steps') names.push('item', 'index')
    if (step.type === 'loop') names.push('iteration', 'previous')
    if (step.type === 'judge' && path[step.path.length] === 'judge') names.push('candidates')
    graph = step.graphs.find(({ path: place }) => isIn(path, place))
  }
  return names
}

/** Whether `path` is `outer` or inside it. */
function isIn(path: Path, outer: Path): boolean {
  return outer.every((part, index) => path[index] === part)
}

function outputsOf({ id, hasJson }: DraftStep): string[] {
  const output = `steps.${id}.output`
  return hasJson ? [output, `steps.${id}.json`] : [output]
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
