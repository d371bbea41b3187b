/** Hosts and paths of the user's own, from the settings and the environment. */
import type { Workspace, WorkspaceOptions } from '../../wiring/workspace.ts'

type Environment = WorkspaceOptions['env']

const addressVariables = ['MODELPORT_DATABASE_URL', 'MODELPORT_SHARED_URL']
const proxyVariables = ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy']
const fileVariables = ['MODELPORT_LOCAL_MODEL_FILE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']

export function findPrivateHosts({ configuration }: Workspace, env: Environment): string[] {
  const { settings, providers } = configuration.current()
  const { outboundProxy, alertWebhook, allowedHosts, allowedOrigins } = settings
  const proxies = proxyVariables.flatMap((name) => [env[name], env[name.toUpperCase()]])
  const addresses = [
    ...[...providers.values()].map(({ baseUrl }) => baseUrl),
    outboundProxy === 'direct' ? null : outboundProxy,
    alertWebhook,
    ...allowedHosts,
    ...allowedOrigins,
    ...addressVariables.map((name) => env[name] ?? null),
    ...proxies.flatMap((text) => text?.split(/[\s,]+/) ?? []),
  ]
  return [...new Set(addresses.map(hostOf).filter((host) => host !== ''))]
}

export function findPrivatePaths({ configuration }: Workspace, env: Environment): string[] {
  const files = [
    configuration.current().settings.localModelFile,
    ...fileVariables.map((name) => env[name]),
  ]
  return files.filter((file) => typeof file === 'string')
}

/** Names that the user chose. */
export function findOwnNames({ configuration }: Workspace): string[] {
  const { routers, apiKeys, agents } = configuration.current()
  const named = [...routers.values(), ...apiKeys.values()].map(({ name }) => name)
  return [...named, ...agents.keys()]
}

/** @param address  a URL, or a host with or without a port, as many people write proxies */
function hostOf(address: string | null): string {
  if (address === null || address === '') return ''
  const url = address.includes('://') ? address : `http://${address}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}
