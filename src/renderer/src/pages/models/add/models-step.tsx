import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Model, Provider } from '../../../../../shared/entities.ts'
import type { ListedModel } from '../../../../../shared/models/listed-model.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/error-note.tsx'
import { Loaded } from '../../../components/page.tsx'
import { useAction } from '../../../components/use-action.ts'
import { beginConversation } from '../../../stores/new-conversation.ts'
import { useCatalogModels } from '../../../stores/models.ts'
import { useProviderTypes } from '../../../stores/providers.ts'
import { createRouter, useRouters } from '../../../stores/routers.ts'
import { ModelChecks } from './model-checks.tsx'
import { isUsable, suggestModels } from './suggest-models.ts'
import { UnpricedModels } from './unpriced-models.tsx'
import { t } from '../../../../../shared/strings/strings.ts'

interface ModelsStepProps {
  provider: Provider
  /** The names of the models that it listed; null when it was not asked. */
  listed: readonly string[] | null
  onClose: () => void
}

/** The models of a provider: prices for those without one, and a first router. */
export function ModelsStep({ provider, listed, onClose }: ModelsStepProps) {
  const catalog = useCatalogModels()
  const { load } = catalog
  const types = useProviderTypes((state) => state.items)
  const type = types?.find((candidate) => candidate.type === provider.type)
  useEffect(() => void load(), [load])
  return (
    <Loaded list={catalog} what={t('models')}>
      {(items) => (
        <Models
          catalog={items}
          models={modelsOf(provider, { listed, items })}
          isOwnServer={type?.isSelfHosted === true}
          onClose={onClose}
        />
      )}
    </Loaded>
  )
}

/** Models that the provider listed, or all that are known when it listed none. */
function modelsOf(
  { id }: Provider,
  { listed, items }: { listed: readonly string[] | null; items: readonly ListedModel[] },
): Model[] {
  const own = items.flatMap(({ model }) => (model.providerId === id ? [model] : []))
  const names = new Set(listed)
  const offered = own.filter((model) => names.has(model.id.slice(id.length + 1)))
  return offered.length === 0 ? own : offered
}

interface ModelsProps {
  catalog: readonly ListedModel[]
  models: readonly Model[]
  isOwnServer: boolean
  onClose: () => void
}

function Models({ catalog, models, isOwnServer, onClose }: ModelsProps) {
  const navigate = useNavigate()
  const routers = useRouters((state) => state.items)
  /** Null until the user changes the suggestion. */
  const [checked, setChecked] = useState<readonly string[] | null>(null)
  const usable = models.filter(isUsable)
  const suggested = suggestModels(models)
  const chosen = checked ?? suggested
  const name = freeName(t('Balanced'), routers ?? [])
  const { run, isRunning, error } = useAction(async () => {
    const router = await createRouter({ name, strategy: 'balanced', models: [...chosen] })
    beginConversation(router.id)
    await navigate({ to: '/chat' })
  })
  return (
    <>
      {usable.length > 0 && (
        <ModelChecks models={usable} suggested={suggested} chosen={chosen} onChange={setChecked} />
      )}
      <UnpricedModels
        models={models}
        catalog={catalog}
        isOwnServer={isOwnServer}
        isOpenAtFirst={usable.length === 0}
      />
      {models.length === 0 && (
        <p className="text-sm text-muted">
          {t('The provider lists no models. Add some there, then test the provider again.')}
        </p>
      )}
      {error && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button onClick={onClose}>{t('Not now')}</Button>
        <Button look="primary" disabled={isRunning || chosen.length === 0} onClick={() => run()}>
          {t(
            '{count, plural, =0 {Create router “{name}”} one {Create router “{name}” with 1 model} other {Create router “{name}” with # models}}',
            { name, count: chosen.length },
          )}
        </Button>
      </div>
    </>
  )
}

/** `Balanced`, or `Balanced 2` while a router has that name. */
function freeName(wanted: string, routers: readonly { name: string }[]): string {
  const taken = new Set(routers.map(({ name }) => name))
  for (let nth = 1; ; nth += 1) {
    const name = nth === 1 ? wanted : `${wanted} ${nth}`
    if (!taken.has(name)) return name
  }
}
