/** The steps from an empty data folder to a tool that uses Modelport. */
import type { ApiKey, Provider, Router } from '../../../../shared/entities.ts'
import { builtInProvider } from '../../../../shared/provider-type.ts'
import type { LocalModelState } from '../../../../shared/app-state.ts'

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
      title: 'Add a model',
      hint: 'Paste a provider’s key, or use the local model.',
      to: '/providers',
      search: { add: 'any' },
      action: 'Add provider',
      isDone: hasProvider || hasLocalModel,
      // The local model is small; most people want another one.
      isOffered: !hasProvider,
    },
    {
      title: 'Create a router',
      hint: 'It chooses one of its models for each request.',
      to: '/routers/new',
      action: 'Create router',
      isDone: routers.length > 0,
    },
    {
      title: 'Send a first request',
      hint: 'Ask something in the chat.',
      to: '/chat',
      action: 'Open chat',
      isDone: requests > 0,
    },
    {
      title: 'Create a key',
      hint: 'Your programs need one to call a router.',
      to: '/keys',
      action: 'Create key',
      isDone: keys.some(({ revokedAtMs }) => revokedAtMs === null),
    },
    {
      title: 'Connect a tool',
      hint: 'Modelport writes the settings of 25 tools.',
      to: '/connect',
      action: 'Connect',
      isDone: keys.some(({ lastUsedAtMs }) => lastUsedAtMs !== null),
    },
  ]
}
