/** The steps from an empty data folder to a tool that uses Modelport. */
import type { ApiKey, Provider, Router } from '../../../../shared/entities.ts'
import { builtInProvider } from '../../../../shared/models/provider-type.ts'
import type { LocalModelState } from '../../../../shared/app/app-state.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface SetupStep {
  title: string
  hint: string
  to: '/providers' | '/routers/new' | '/keys' | '/chat' | '/connect'
  /** Parameters of the address. */
  search?: { add: string }
  /** The label of its link. */
  action: string
  isDone: boolean
  /** Offered although the step is done. */
  isOffered?: boolean
}

export interface SetupState {
  providers: readonly Pick<Provider, 'type' | 'hasKey' | 'needsKey'>[]
  localModel: LocalModelState
  routers: readonly Pick<Router, 'id'>[]
  keys: readonly Pick<ApiKey, 'revokedAtMs' | 'lastUsedAtMs'>[]
  /** In the ledger. */
  requests: number
}

export function setupSteps({
  providers,
  localModel,
  routers,
  keys,
  requests,
}: SetupState): SetupStep[] {
  const hasProvider = providers.some(
    (one) => one.type !== builtInProvider.type && (one.hasKey || !one.needsKey),
  )
  const hasLocalModel = ['ready', 'loading', 'stopped'].includes(localModel.status)
  return [
    {
      title: t('Add a model'),
      hint: t('Paste a provider’s key, or use the local model.'),
      to: '/providers',
      search: { add: 'any' },
      action: t('Add provider'),
      isDone: hasProvider || hasLocalModel,
      // The local model is small; most people want another one.
      isOffered: !hasProvider,
    },
    {
      title: t('Create a router'),
      hint: t('It chooses one of its models for each request.'),
      to: '/routers/new',
      action: t('Create router'),
      isDone: routers.length > 0,
    },
    {
      title: t('Send a first request'),
      hint: t('Ask something in the chat.'),
      to: '/chat',
      action: t('Open chat'),
      isDone: requests > 0,
    },
    {
      title: t('Create a key'),
      hint: t('Your programs need one to call a router.'),
      to: '/keys',
      action: t('Create key'),
      isDone: keys.some(({ revokedAtMs }) => revokedAtMs === null),
    },
    {
      title: t('Connect a tool'),
      hint: t('Modelport writes the settings of 25 tools.'),
      to: '/connect',
      action: t('Connect'),
      isDone: keys.some(({ lastUsedAtMs }) => lastUsedAtMs !== null),
    },
  ]
}
