/** Model servers on this computer: the search for them, and adding one with its models. */
import type { ModelInput, Provider } from '../../shared/entities.ts'
import { connectionOff } from '../../shared/app/open-connection.ts'
import type { FoundModel, FoundServer } from '../../shared/models/model-servers.ts'
import { localEnergyWhPerKtok } from '../catalog/energy.ts'
import { isLoopback } from '../providers/address-guard.ts'
import { findProviderType } from '../provider-types/provider-types.ts'
import type { RecognisedServer } from '../providers/local-server-answers.ts'
import { describeModels, findLocalServers } from '../providers/local-servers.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'

type ModelServers = Pick<Dashboard, 'findServers' | 'addServer'>

export function createModelServers(
  options: DashboardOptions,
  {
    addProvider,
    saveModel,
    testProvider,
  }: Pick<Dashboard, 'addProvider' | 'saveModel' | 'testProvider'>,
): ModelServers {
  return {
    async findServers() {
      const found = await search(options)
      for (const server of found) noteLoaded(server, options)
      return found.map((server, nth) => toFoundServer(found.slice(0, nth), server, options))
    },
    async addServer(baseUrl, id) {
      const found = await search(options)
      const server = found.find((one) => one.baseUrl === baseUrl)
      if (!server) {
        const message = 'This server no longer answers. Start it and search again.'
        throw new DashboardError('not_found', message, 'baseUrl')
      }
      const known = providerAt(server, options)
      if (known !== null) {
        throw new DashboardError('conflict', `The provider "${known}" has this address.`, 'baseUrl')
      }
      const models = await describeModels(server, connecting(options))
      const added = await addProvider({
        id: id ?? freeId(server.type, options),
        type: server.type,
        baseUrl,
        options: server.slots === null ? {} : { slots: String(server.slots) },
      })
      for (const model of models) await saveModel(toModel(added, model))
      noteLoaded(server, options)
      await testProvider(added.id)
      return added
    },
  }
}

function search(options: DashboardOptions): Promise<RecognisedServer[]> {
  if (options.outbound.use?.isOff('localServers')) {
    throw new DashboardError('conflict', connectionOff('localServers'))
  }
  const { port, httpPort } = options.configuration.current().settings
  return findLocalServers({
    ...connecting(options),
    places: options.serverPlaces,
    ownPorts: [port, httpPort],
  })
}

function connecting({ outbound }: DashboardOptions) {
  return { connect: outbound.connector({ id: 'localServers', privateNetwork: false }) }
}

function toFoundServer(
  before: readonly RecognisedServer[],
  server: RecognisedServer,
  options: DashboardOptions,
): FoundServer {
  const { type, baseUrl, version, models } = server
  const typeName = findProviderType(type)?.name ?? type
  const providerId = providerAt(server, options)
  const taken = before.filter((other) => other.type === type).length
  const suggestedId = freeId(type, options, taken)
  return { type, typeName, baseUrl, version, models, providerId, suggestedId }
}

/** The provider with the server's address, under any name of this computer; null when there is none. */
function providerAt(
  { origin }: RecognisedServer,
  { configuration }: DashboardOptions,
): string | null {
  const { port } = new URL(origin)
  for (const { id, type, baseUrl } of configuration.current().providers.values()) {
    const address = baseUrl ?? findProviderType(type)?.baseUrl
    if (!address) continue
    const url = new URL(address)
    if (url.port === port && isLoopback(url)) return id
  }
  return null
}

/** The estimate of a request depends on whether its model is in memory. */
function noteLoaded(server: RecognisedServer, options: DashboardOptions): void {
  const providerId = providerAt(server, options)
  if (providerId === null) return
  for (const { name, isLoaded } of server.models) {
    if (isLoaded !== null) options.modelServers.seen(`${providerId}:${name}`, isLoaded)
  }
}

/** `ollama`, or `ollama-2` while another provider has that id. @param skipped  ids left to other servers */
export function freeId(type: string, { configuration }: DashboardOptions, skipped = 0): string {
  const { providers } = configuration.current()
  let left = skipped
  for (let nth = 1; ; nth += 1) {
    const id = nth === 1 ? type : `${type}-${nth}`
    if (providers.has(id)) continue
    if (left === 0) return id
    left -= 1
  }
}

/** The context of a server that does not report one: short enough for any. */
const unknownContextTokens = 4096

function toModel({ id }: Provider, model: FoundModel): ModelInput {
  const { name, contextTokens, sizeBytes, capabilities } = model
  return {
    id: `${id}:${name}`,
    inputUsdPerMtok: 0,
    outputUsdPerMtok: 0,
    contextTokens: contextTokens ?? unknownContextTokens,
    capabilities: [...capabilities],
    ...(sizeBytes !== null && { energyWhPerKtok: localEnergyWhPerKtok(sizeBytes) }),
  }
}
