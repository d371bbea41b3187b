/** Which connections this service can open now, and when each was last opened. */
import {
  connectionEntries,
  type ConnectionId,
  type ConnectionState,
} from '../../shared/app/connections.ts'
import { isLocalType, runsOnThisComputer } from '../provider-types/provider-types.ts'
import { isLoopback } from '../providers/address-guard.ts'
import { hasProxy } from '../providers/outbound-proxy.ts'
import type { StoredProvider } from '../storage/storage.ts'
import type { Workspace } from './workspace.ts'

export interface ConnectionOptions {
  env: Readonly<Record<string, string | undefined>>
  telemetry?: object | undefined
  shared?: object | undefined
  database?: string | undefined
}

export async function connectionStates(
  {
    configuration,
    connectionLog,
    storage,
  }: Pick<Workspace, 'configuration' | 'connectionLog' | 'storage'>,
  options: ConnectionOptions,
): Promise<ConnectionState[]> {
  const { settings, providers } = configuration.current()
  const servers = await storage.mcp.servers()
  const isUsed = usedBy([...providers.values()])
  const named: Partial<Record<ConnectionId, boolean>> = {
    ...isUsed,
    mcpServers: servers.some(({ config }) => config.kind === 'http'),
    alertWebhook: settings.alertWebhook !== null,
    updates: settings.updates !== 'off',
    telemetry: options.telemetry !== undefined,
    valkey: options.shared !== undefined,
    postgres: options.database !== undefined,
    proxy: hasProxy({ setting: settings.outboundProxy, env: options.env }),
  }
  const isOn = (id: ConnectionId) => (named[id] ?? true) && !connectionLog.isOff(id)
  const lastUses = await connectionLog.lastUses()
  return connectionEntries.map(([id]) => ({
    id,
    isOn: isOn(id),
    lastUsedAtMs: lastUses.get(id) ?? null,
  }))
}

/** The connections that providers need, as far as there are such providers. */
function usedBy(
  stored: readonly StoredProvider[],
): Record<'providers' | 'localProviders' | 'awsSignIn', boolean> {
  const asked = stored.filter(({ type }) => !isLocalType(type))
  const isHere = ({ type, baseUrl }: StoredProvider) =>
    baseUrl === null ? runsOnThisComputer({ type }) : isLoopback(new URL(baseUrl))
  return {
    providers: asked.some((one) => !isHere(one)),
    localProviders: asked.some(isHere),
    awsSignIn: stored.some(
      ({ options }) =>
        options['profile'] !== undefined || options['credentials'] === 'default-chain',
    ),
  }
}
