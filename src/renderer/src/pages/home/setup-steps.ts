/** The steps from an empty data folder to a tool that uses Modelport. */
import type { ApiKey, Provider, Router } from '../../../../shared/entities.ts'
import { builtInProvider } from '../../../../shared/models/provider-type.ts'
import type { LocalModelInfo } from '../../../../shared/models/local-models.ts'
import { isDemoRouter } from '../../stores/last-answer.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface SetupStep {
  title: string
  hint: string
  to: '/models' | '/routers/new' | '/chat' | '/connect'
  /** Parameters of the address. */
  search?: Record<string, string>
  /** The label of its link. */
  action: string
  isDone: boolean
}

export interface SetupState {
  providers: readonly Pick<Provider, 'type' | 'hasKey' | 'needsKey'>[]
  localModels: readonly Pick<LocalModelInfo, 'origin' | 'state'>[]
  routers: readonly Pick<Router, 'models'>[]
  keys: readonly Pick<ApiKey, 'revokedAtMs' | 'lastUsedAtMs'>[]
  /** Whether the ledger has an answered request. */
  hasAnswer: boolean
}

/** The demo model ticks nothing: it is there to look around. */
export function setupSteps(state: SetupState): SetupStep[] {
  const { providers, localModels, routers, keys, hasAnswer } = state
  const hasProvider = providers.some(
    (one) => one.type !== builtInProvider.type && (one.hasKey || !one.needsKey),
  )
  const hasLocalModel = localModels.some(
    ({ origin, state: file }) => origin !== 'built-in' && file.kind === 'installed',
  )
  return [
    {
      title: t('Add a provider'),
      hint: t('Paste its key, or use a model on this computer.'),
      to: '/models',
      search: { view: 'providers', add: 'any' },
      action: t('Add provider'),
      isDone: hasProvider || hasLocalModel,
    },
    {
      title: t('Create a router'),
      hint: t('It chooses one of its models for each request.'),
      to: '/routers/new',
      action: t('Create router'),
      isDone: routers.some((router) => !isDemoRouter(router)),
    },
    {
      title: t('Send a first request'),
      hint: t('Ask something in the chat.'),
      to: '/chat',
      action: t('Open chat'),
      isDone: hasAnswer,
    },
    {
      title: t('Create a key'),
      hint: t('Your programs need one to call a router.'),
      to: '/connect',
      search: { show: 'keys' },
      action: t('Create key'),
      isDone: keys.some(({ revokedAtMs }) => revokedAtMs === null),
    },
    {
      title: t('Connect a tool'),
      hint: t('Modelport can configure 25 tools for you.'),
      to: '/connect',
      action: t('Connect'),
      isDone: keys.some(({ lastUsedAtMs }) => lastUsedAtMs !== null),
    },
  ]
}
