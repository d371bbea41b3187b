import { formatDuration, formatTokens } from '../../../../shared/strings/format.ts'
import type { ServedModel } from '../../../../shared/models/model-servers.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** How fast a model server runs its models, and which are in memory. */
export function ServedModels({ models }: { models: readonly ServedModel[] }) {
  if (models.length === 0) return null
  return (
    <ul aria-label={t('Speed of its models')} className="flex flex-col gap-0.5 text-sm text-muted">
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
    ...(msPerToken === null
      ? []
      : [t('{perSecond} tokens/s', { perSecond: perSecond(msPerToken) })]),
    ...(msPerPromptToken === null
      ? []
      : [t('reads {perSecond} tokens/s', { perSecond: perSecond(msPerPromptToken) })]),
    ...(loadMs === null ? [] : [t('loads in {loadMs}', { loadMs: formatDuration(loadMs) })]),
    ...(isLoaded === null ? [] : [isLoaded ? t('in memory') : t('not in memory')]),
  ]
}

function perSecond(msPerToken: number): string {
  return formatTokens(1000 / msPerToken)
}
