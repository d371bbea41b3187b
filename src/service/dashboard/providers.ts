import { isIP } from 'node:net'
import { z } from 'zod'
import {
  providerChangesSchema,
  providerInputSchema,
  type PausedModel,
  type Provider,
  type ProviderChanges,
  type ProviderInput,
  type ProviderTest,
} from '../../shared/entities.ts'
import { providerKeySchema } from '../../shared/models/provider-key.ts'
import type { ProviderType } from '../../shared/models/provider-type.ts'
import { DashboardError, type Dashboard, type DashboardOptions } from './dashboard.ts'
import { addressNotAllowed, isAllowedAddress, isLoopback } from '../providers/address-guard.ts'
import { findCatalogModel, renamedModels } from '../catalog/whose-models.ts'
import {
  findProviderType,
  originOf,
  providerTypes,
  publishedTypes,
} from '../provider-types/provider-types.ts'
import { checkOptions, OptionRefused } from '../providers/options.ts'
import {
  ProviderError,
  providerProblem,
  type Provider as UpstreamProvider,
} from '../providers/provider.ts'
import { StorageConflict, type StoredProvider } from '../storage/storage.ts'
import { parseInput } from './input.ts'
import { addKey, keysOf, noKeys, removeKey, shownKeys, storeKey } from './provider-keys.ts'

const testMs = 15_000

type Providers = Pick<
  Dashboard,
  | 'providerTypes'
  | 'providers'
  | 'addProvider'
  | 'addTestedProvider'
  | 'updateProvider'
  | 'setProviderKey'
  | 'addProviderKey'
  | 'removeProviderKey'
  | 'testProvider'
  | 'removeProvider'
>

export function createProviders(options: DashboardOptions): Providers {
  const { configuration, store } = options

  function stored(id: string): StoredProvider {
    const provider = configuration.current().providers.get(id)
    if (!provider) throw new DashboardError('not_found', `There is no provider "${id}".`, 'id')
    return provider
  }

  const shown = (provider: StoredProvider) => show(provider, options)

  return {
    providerTypes: () => [...providerTypes],
    providers: () => Promise.all([...configuration.current().providers.values()].map(shown)),
    async addProvider(input) {
      const checked = await checkedProvider(options, input)
      await add(checked, options)
      return shown(checked.provider)
    },
    async addTestedProvider(input) {
      const checked = await checkedProvider(options, input)
      const outcome = await testUnsaved(checked, options)
      if (!outcome.ok) return { provider: null, test: outcome }
      await add(checked, options)
      await noteTest(checked.provider.id, outcome, options)
      return { provider: await shown(checked.provider), test: outcome }
    },
    async updateProvider(id, changes) {
      const { apiKey, provider } = checkedChanges(stored(id), changes)
      checkRenamed(provider, options)
      if (apiKey !== undefined) await storeKey(options, provider, { apiKey })
      await store.updateProvider(provider)
      await configuration.refresh()
      return shown(provider)
    },
    ...keyActions(options, { stored, shown }),
    testProvider: async (id) => await test(stored(id), options),
    removeProvider: async (id) => await remove(stored(id), options),
  }
}

/** @throws DashboardError in_use while a router has one of its models */
async function remove(
  { id }: StoredProvider,
  { configuration, secrets, store, modelServers }: DashboardOptions,
): Promise<void> {
  const users = [...configuration.current().routers.values()].filter(({ models }) =>
    models.some((model) => model.startsWith(`${id}:`)),
  )
  if (users.length > 0) {
    const names = users.map((router) => `"${router.name}"`).join(', ')
    throw new DashboardError('in_use', `Remove its models from the router ${names} first.`)
  }
  await secrets.deleteAll(id)
  await store.removeProvider(id)
  modelServers.forget(id)
  await configuration.refresh()
}

interface Finders {
  /** @throws DashboardError not_found */
  stored: (id: string) => StoredProvider
  shown: (provider: StoredProvider) => Promise<Provider>
}

function keyActions(
  options: DashboardOptions,
  { stored, shown }: Finders,
): Pick<Dashboard, 'setProviderKey' | 'addProviderKey' | 'removeProviderKey'> {
  /** Every process reads the keys again. */
  async function changed(provider: StoredProvider): Promise<Provider> {
    await options.store.raiseKeyRevision(provider.id)
    await options.configuration.refresh()
    return await shown(provider)
  }
  return {
    async setProviderKey(id, apiKey) {
      const provider = stored(id)
      const given = parseInput(z.object({ apiKey: providerKeySchema }), { apiKey })
      await storeKey(options, provider, given)
      return await changed(provider)
    },
    async addProviderKey(id, key) {
      const provider = stored(id)
      await addKey(options, provider, key)
      return await changed(provider)
    },
    async removeProviderKey(id, name) {
      const provider = stored(id)
      const isNeeded = findProviderType(provider.type)?.keyRule === 'required'
      await removeKey(options, provider, { name, isNeeded })
      return await changed(provider)
    },
  }
}

async function show(provider: StoredProvider, options: DashboardOptions): Promise<Provider> {
  const type = findProviderType(provider.type)
  const { id, baseUrl, privateNetwork, options: given, createdAtMs } = provider
  const keys = type?.keyRule === 'none' ? noKeys : await keysOf(provider, options)
  return {
    id,
    type: provider.type,
    typeName: type?.name ?? provider.type,
    baseUrl: baseUrl ?? type?.baseUrl ?? null,
    privateNetwork,
    options: given,
    needsKey: type?.keyRule === 'required',
    hasKey: keys.usable.length > 0,
    keySource: keys.source,
    keyBelongsTo: keys.usable.length > 0 ? null : (keys.elsewhere[0]?.origin ?? null),
    keys: shownKeys(provider, keys, options),
    createdAtMs,
    health: options.upstreams.health(id),
    pausedModels: pausedModels(id, options),
    servedModels: options.modelServers.modelsOf(id),
  }
}

function pausedModels(id: string, { deployments, now }: DashboardOptions): PausedModel[] {
  return deployments
    .pausedOf(id)
    .map(({ modelId, waitMs }) => ({ modelId, untilMs: now() + waitMs }))
}

interface CheckedProvider {
  apiKey: string | undefined
  provider: StoredProvider
}

/** Checks everything before it stores anything. */
async function checkedProvider(
  options: DashboardOptions,
  input: ProviderInput,
): Promise<CheckedProvider> {
  const { apiKey, baseUrl, ...given } = parseInput(providerInputSchema, input)
  const type = checkType({ type: given.type, baseUrl })
  const checked = optionsFor(type, given.options)
  if (options.configuration.current().providers.has(given.id)) {
    throw isTaken(given.id)
  }
  if (baseUrl !== undefined) checkAddress(new URL(baseUrl), given.privateNetwork)
  const provider = {
    ...given,
    baseUrl: baseUrl ?? null,
    options: checked,
    createdAtMs: options.now(),
    keyRevision: 0,
  }
  checkRenamed(provider, options)
  // The user adds the provider to use its variable, if there is one.
  const hasVariable = await options.secrets.bindVariable(provider.id, originOf(provider))
  const isKeyMissing = type.keyRule === 'required' && apiKey === undefined && !hasVariable
  if (isKeyMissing && (await keysOf(provider, options)).usable.length === 0) {
    throw new DashboardError('invalid', `${type.name} needs an API key.`, 'apiKey')
  }
  return { apiKey, provider }
}

/** A file of another version may name models that this catalogue lacks, so imports do not check this. */
function checkRenamed(provider: StoredProvider, { catalog }: DashboardOptions): void {
  for (const [name, catalogId] of renamedModels(provider)) {
    if (findCatalogModel(catalog, catalogId)) continue
    const message = `The catalog has no model "${catalogId}".`
    throw new DashboardError('invalid', message, `options.model.${name}`)
  }
}

/** Checks everything before anything is stored. */
function checkedChanges(
  known: StoredProvider,
  changes: ProviderChanges,
): { apiKey: string | undefined; provider: StoredProvider } {
  const { apiKey, ...given } = parseInput(providerChangesSchema, changes)
  const provider = {
    ...known,
    privateNetwork: given.privateNetwork ?? known.privateNetwork,
    baseUrl: given.baseUrl === undefined ? known.baseUrl : given.baseUrl,
    options: given.options ?? known.options,
  }
  const type = checkType({ type: known.type, baseUrl: provider.baseUrl ?? undefined })
  if (type.isLocal) {
    throw new DashboardError('invalid', 'The built-in model has no address and no options.', 'id')
  }
  if (provider.baseUrl !== null) checkAddress(new URL(provider.baseUrl), provider.privateNetwork)
  return { apiKey, provider: { ...provider, options: optionsFor(type, provider.options) } }
}

/** @throws DashboardError for an unknown type, or a type that needs an address */
export function checkType(given: { type: string; baseUrl?: string | undefined }): ProviderType {
  const type = findProviderType(given.type)
  if (!type) {
    const known = providerTypes.map((entry) => entry.type).join(', ')
    throw new DashboardError('invalid', `Unknown type. Use one of ${known}.`, 'type')
  }
  if (!type.isLocal && type.baseUrl === null && given.baseUrl === undefined) {
    throw new DashboardError('invalid', 'This type needs the address of the server.', 'baseUrl')
  }
  return type
}

/** @throws DashboardError naming the invalid option and what is accepted */
export function optionsFor(
  { options, name }: ProviderType,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  try {
    const checked = checkOptions(given, options)
    const owner = checked['models-of']
    if (owner !== undefined && !publishedTypes().includes(owner)) {
      throw new OptionRefused('models-of', `use one of ${publishedTypes().join(', ')}`)
    }
    return checked
  } catch (error) {
    if (!(error instanceof OptionRefused)) throw error
    const message = `The option "${error.option}" of ${name}: ${error.message}.`
    throw new DashboardError('invalid', message, `options.${error.option}`)
  }
}

async function add(
  { apiKey, provider }: CheckedProvider,
  options: DashboardOptions,
): Promise<void> {
  if (apiKey !== undefined) await storeKey(options, provider, { apiKey })
  await insert(provider, options)
  await options.configuration.refresh()
}

/** @throws DashboardError conflict when a provider with this id was added in the meantime */
async function insert(provider: StoredProvider, { store }: DashboardOptions): Promise<void> {
  try {
    await store.insertProvider(provider)
  } catch (error) {
    throw error instanceof StorageConflict ? isTaken(provider.id) : error
  }
}

function isTaken(id: string): DashboardError {
  return new DashboardError('conflict', `A provider "${id}" already exists.`, 'id')
}

/** Refuses plain HTTP outside a private network, where anyone could read the key. */
export function checkAddress(url: URL, privateNetwork: boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' && !isLoopback(url) && !privateNetwork) {
    throw new DashboardError(
      'invalid',
      'Use https, or your key would be sent unencrypted.',
      'baseUrl',
    )
  }
  if (isIP(host) !== 0 && !isAllowedAddress(host, privateNetwork)) {
    throw new DashboardError('invalid', `Not possible: ${addressNotAllowed}.`, 'baseUrl')
  }
  if (url.username !== '' || url.password !== '') {
    throw new DashboardError(
      'invalid',
      'Remove the user name and password from the address.',
      'baseUrl',
    )
  }
}

type Listed = Extract<ProviderTest, { ok: true }>

async function test({ id }: StoredProvider, options: DashboardOptions): Promise<ProviderTest> {
  try {
    const outcome = await listModels(() => options.upstreams.open(id))
    await noteTest(id, outcome, options)
    return outcome
  } catch (error) {
    const failure = asFailure(error)
    options.upstreams.failed(id, failure)
    return asFailedTest(failure)
  }
}

async function testUnsaved(
  { apiKey, provider }: CheckedProvider,
  { upstreams }: DashboardOptions,
): Promise<ProviderTest> {
  const opened = upstreams.openUnsaved(provider, apiKey ?? null)
  try {
    return await listModels(() => opened)
  } catch (error) {
    return asFailedTest(asFailure(error))
  } finally {
    await opened.close()
  }
}

/** @param open  throws ProviderError, like the list itself */
async function listModels(open: () => UpstreamProvider): Promise<Listed> {
  const startedAt = performance.now()
  const models = await open().listModels(AbortSignal.timeout(testMs))
  return { ok: true, latencyMs: Math.round(performance.now() - startedAt), models }
}

async function noteTest(
  id: string,
  { latencyMs, models }: Listed,
  { upstreams, store, configuration }: DashboardOptions,
): Promise<void> {
  upstreams.succeeded(id, latencyMs)
  await store.setListedModels(id, models)
  await configuration.refresh()
}

function asFailedTest({ kind, message }: ProviderError): ProviderTest {
  return { ok: false, problem: providerProblem(kind), message }
}

function asFailure(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new ProviderError('timeout', 'the provider did not answer in time', { cause: error })
  }
  throw error
}
