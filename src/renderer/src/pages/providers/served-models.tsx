import { formatDuration, formatTokens } from '../../../../shared/format.ts'
import type { ServedModel } from '../../../../shared/model-servers.ts'

/** How fast a model server runs its models, and which are in memory. */
export function ServedModels({ models }: { models: readonly ServedModel[] }) {
  if (models.length === 0) return null
  return (
    <ul aria-label="Speed of its models" className="flex flex-col gap-0.5 text-sm text-muted">
      {models.map((model) => (
        <li key={model.modelId}>
          <span className="text-ink">{model.modelId.slice(model.modelId.indexOf(':') + 1)}</span>{' '}
          {factsOf(model).join(' · ')}
        </li>
      ))}
    </ul>
  )
}

function factsOf({ msPerToken, msPerPromptToken, loadMs, isLoaded }: ServedModel): string[] {
  return [
    ...(msPerToken === null ? [] : [`${perSecond(msPerToken)} tokens/s`]),
    ...(msPerPromptToken === null ? [] : [`reads ${perSecond(msPerPromptToken)} tokens/s`]),
    ...(loadMs === null ? [] : [`loads in ${formatDuration(loadMs)}`]),
    ...(isLoaded === null ? [] : [isLoaded ? 'in memory' : 'not in memory']),
  ]
}

function perSecond(msPerToken: number): string {
  return formatTokens(1000 / msPerToken)
}
