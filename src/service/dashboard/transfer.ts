/**
 * Exports the configuration, and plans what an import would change. A file may come from anyone, so it cannot
 * change where an existing key is sent.
 */
import type { Router } from '../../shared/entities.ts'
import type { SettingName, Settings } from '../../shared/app/settings.ts'
import type { DatedPrice } from '../../shared/models/dated-price.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import {
  capabilitiesLost,
  findProviderType,
  originOf,
  type ProviderLocation,
} from '../provider-types/provider-types.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import { datedPricesName, type ConfigurationIndex } from '../storage/live-configuration.ts'
import type { ConfigurationChanges, StoredProvider } from '../storage/storage.ts'
import {
  DashboardError,
  type Dashboard,
  type DashboardOptions,
  type Difference,
} from './dashboard.ts'
import { parseInput } from './input.ts'
import { checkAddress, checkType, optionsFor } from './providers.ts'
import { checkChoice } from './routers.ts'
import { checkAgents } from './transfer-agents.ts'
import {
  portableSettings,
  priceId,
  transferDocumentSchema,
  type ExportedModel,
  type ExportedProvider,
  type ExportedRouter,
  type TransferDocument,
} from './transfer-document.ts'

export type Transfer = Pick<Dashboard, 'exportConfiguration' | 'planImport'>

export function createTransfer(options: DashboardOptions): Transfer {
  const { configuration, store, secrets } = options

  return {
    exportConfiguration: async () => toDocument(configuration.current()),
    async planImport(text, { replaces }) {
      await configuration.refresh()
      const before = configuration.current()
      const wanted = parseInput(transferDocumentSchema, parseJson(text))
      await checkProviders(wanted, before, secrets)
      checkModelsAndRouters(wanted, { before, replaces, catalog: options.catalog })
      checkAgents(wanted, { before, replaces })
      const { differences, changes } = compare(wanted, { before, replaces, nowMs: options.now() })
      return {
        differences,
        accessSettings: accessSettingsOf(differences),
        async apply() {
          if (differences.length === 0) return
          await store.apply(changes)
          await configuration.refresh()
          for (const id of changes.providers.remove) await secrets.deleteAll(id)
        },
      }
    },
  }
}

/** Settings by which a file lets others reach the endpoint: web pages, other host names, plain HTTP. */
const accessSettings: ReadonlySet<string> = new Set<SettingName>([
  'allowedHosts',
  'allowedOrigins',
  'httpPort',
])

/** Ids of changed settings that grant access. A removed one returns to its default, which grants none. */
function accessSettingsOf(differences: readonly Difference[]): string[] {
  return differences
    .filter(
      ({ kind, id, change }) =>
        kind === 'setting' && change !== 'removed' && accessSettings.has(id),
    )
    .map(({ id }) => id)
}

function toDocument(current: ConfigurationIndex): TransferDocument {
  return {
    format: 'modelport-export',
    formatVersion: 1,
    providers: [...current.providers.values()].map(toExportedProvider),
    models: [...current.models.values()].map(toExportedModel),
    // Prices outlive their provider, and an import refuses those without one.
    prices: current.datedPrices.filter(({ modelId }) => current.providers.has(providerOf(modelId))),
    routers: [...current.routers.values()].map(toExportedRouter),
    agents: [...current.agents.values()].map(({ slug, source }) => ({ id: slug, source })),
    settings: changedSettings(current.settings),
  }
}

function toExportedProvider({
  id,
  type,
  baseUrl,
  privateNetwork,
  options,
}: StoredProvider): ExportedProvider {
  const provider = { id, type, privateNetwork, options }
  if (baseUrl === null) return provider
  // A query or a user could contain a key, and requests use neither.
  const { origin, pathname } = new URL(baseUrl)
  return { ...provider, baseUrl: `${origin}${pathname}` }
}

function toExportedModel({ capabilities = [], ...model }: DashboardModel): ExportedModel {
  return { ...model, capabilities }
}

type DashboardModel =
  ConfigurationIndex['models'] extends ReadonlyMap<string, infer Model> ? Model : never

function toExportedRouter(router: Router): ExportedRouter {
  const { createdAtMs: _created, updatedAtMs: _updated, ...exported } = router
  return exported
}

/** The settings that differ from their defaults, so that a file fixes no default. */
function changedSettings(current: Settings): Record<string, unknown> {
  const values: Record<string, unknown> = current
  return Object.fromEntries(
    portableSettings
      .filter(({ name, preset }) => !isSame(values[name], preset))
      .map(({ name }) => [name, values[name]]),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DashboardError('invalid', 'The file is not JSON.')
  }
}

async function checkProviders(
  { providers }: TransferDocument,
  before: ConfigurationIndex,
  secrets: SecretStore,
): Promise<void> {
  for (const [index, provider] of providers.entries()) {
    const field = `providers.${index}`
    within(field, () => {
      optionsFor(checkType(provider), provider.options)
      if (provider.baseUrl !== undefined)
        checkAddress(new URL(provider.baseUrl), provider.privateNetwork)
    })
    const known = before.providers.get(provider.id)
    within(field, () => checkCredentials(provider, known?.options ?? {}))
    if (known) within(field, () => checkBinding(provider, known))
    else await checkUnbound(provider, secrets, field)
  }
}

/** Checks that an import does not change where a provider's key is sent. */
function checkBinding(wanted: ExportedProvider, known: StoredProvider): void {
  if (wanted.type !== known.type) {
    const message = `Its type here is "${known.type}". Remove the provider "${known.id}" and add it again with its key.`
    throw new DashboardError('invalid', message, 'type')
  }
  const here = originOf(known)
  if (originOf({ type: wanted.type, baseUrl: wanted.baseUrl ?? null }) !== here) {
    const message = `Its key belongs to the address ${here}. Change the address with "modelport provider update ${known.id} --base-url URL", then import again.`
    throw new DashboardError('invalid', message, 'baseUrl')
  }
}

/** A file must not choose credentials of this computer, such as an AWS profile. */
function checkCredentials(
  { id, type, options }: ExportedProvider,
  here: Readonly<Record<string, string>>,
): void {
  for (const { name, isCredential } of checkType({ type, baseUrl: '' }).options) {
    if (isCredential !== true || options[name] === undefined || options[name] === here[name])
      continue
    const message = `A file must not choose credentials of this computer. Set the option "${name}" with "modelport provider add" or "modelport provider update ${id}", then import again.`
    throw new DashboardError('invalid', message, `options.${name}`)
  }
}

/** A file must not use a key that already exists for its id, in a variable or in the key store. */
async function checkUnbound(
  { id, type }: ExportedProvider,
  secrets: SecretStore,
  field: string,
): Promise<void> {
  if (findProviderType(type)?.keyRule === 'none' || (await secrets.names(id)).length === 0) return
  const message = `A key for "${id}" is already stored, and a file must not decide where it is sent. Add this provider with "modelport provider add", then import again.`
  throw new DashboardError('invalid', message, `${field}.id`)
}

interface ImportContext {
  before: ConfigurationIndex
  /** Whether entries that are not in the file are removed. */
  replaces: boolean
}

function checkModelsAndRouters(
  wanted: TransferDocument,
  { before, replaces, catalog }: ImportContext & { catalog: Catalog },
): void {
  const merge = <Entry extends { id: string }>(
    kept: ReadonlyMap<string, Entry>,
    added: readonly Entry[],
  ) => new Map([...(replaces ? [] : kept), ...added.map((entry) => [entry.id, entry] as const)])
  const providers = merge<
    ProviderLocation & { id: string; options: Readonly<Record<string, string>> }
  >(before.providers, wanted.providers)
  const models = merge<DashboardModel>(before.models, wanted.models)
  for (const [index, { id }] of wanted.models.entries()) {
    within(`models.${index}`, () => checkProviderOf(id, { providers, field: 'id' }))
  }
  for (const [index, { modelId }] of wanted.prices.entries()) {
    within(`prices.${index}`, () => checkProviderOf(modelId, { providers, field: 'modelId' }))
  }
  const { listedModels } = before
  const known = resolveModels(catalog, { providers, models, listedModels }, capabilitiesLost)
  const routers = merge<{ id: string }>(before.routers, wanted.routers)
  for (const [index, router] of wanted.routers.entries())
    within(`routers.${index}`, () => checkChoice(router, { models: known, providers, routers }))
}

function providerOf(modelId: string): string {
  return modelId.slice(0, modelId.indexOf(':'))
}

function checkProviderOf(
  modelId: string,
  { providers, field }: { providers: ReadonlyMap<string, unknown>; field: string },
): void {
  const id = providerOf(modelId)
  if (!providers.has(id))
    throw new DashboardError('invalid', `There is no provider "${id}".`, field)
}

/** Runs a check of one entry; its errors name the field in the file. */
function within(field: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof DashboardError)) throw error
    const inner = error.field === null ? field : `${field}.${error.field}`
    throw Object.assign(new DashboardError(error.code, error.message, inner), { cause: error })
  }
}

function compare(
  wanted: TransferDocument,
  { before, replaces, nowMs }: ImportContext & { nowMs: number },
): { differences: Difference[]; changes: ConfigurationChanges } {
  const now = toDocument(before)
  const providers = compareList('provider', now.providers, wanted.providers)
  const models = compareList('model', now.models, wanted.models)
  const prices = compareList('price', namedPrices(now.prices), namedPrices(wanted.prices))
  const routers = compareList('router', now.routers, wanted.routers)
  const agents = compareList('agent', now.agents, wanted.agents)
  const settings = compareList('setting', toEntries(now.settings), toEntries(wanted.settings))
  const lists = [providers, models, prices, routers, agents, settings]
  const changes: ConfigurationChanges = {
    version: before.version,
    providers: {
      // One millisecond apart, because lists are sorted by creation: this keeps the file's order.
      save: providers.save.map((provider, index) =>
        toStored(provider, before.providers.get(provider.id), nowMs + index),
      ),
      remove: replaces ? providers.missing : [],
    },
    models: { save: models.save, remove: replaces ? models.missing : [] },
    routers: {
      save: routers.save.map((router, index) => {
        const createdAtMs = before.routers.get(router.id)?.createdAtMs ?? nowMs + index
        return { ...router, createdAtMs, updatedAtMs: nowMs }
      }),
      remove: replaces ? routers.missing : [],
    },
    agents: {
      save: agents.save.map(({ id, source }) => ({ slug: id, source, createdAtMs: nowMs })),
      remove: replaces ? agents.missing : [],
    },
    settings: {
      save: {
        ...Object.fromEntries(settings.save.map(({ id, value }) => [id, value])),
        ...(prices.save.length > 0 || (replaces && prices.missing.length > 0)
          ? { [datedPricesName]: mergedPrices(wanted.prices, replaces ? [] : before.datedPrices) }
          : {}),
      },
      remove: replaces ? settings.missing : [],
    },
  }
  const differences = lists.flatMap((list) => [
    ...list.differences,
    ...(replaces ? list.missing.map((id) => removal(list.kind, id)) : []),
  ])
  return { differences, changes }
}

function namedPrices(prices: readonly DatedPrice[]): (DatedPrice & { id: string })[] {
  return prices.map((price) => ({ id: priceId(price), ...price }))
}

function mergedPrices(wanted: readonly DatedPrice[], kept: readonly DatedPrice[]): DatedPrice[] {
  const ids = new Set(wanted.map(priceId))
  return [...kept.filter((price) => !ids.has(priceId(price))), ...wanted]
}

function toStored(
  { baseUrl, ...provider }: ExportedProvider,
  known: StoredProvider | undefined,
  nowMs: number,
): StoredProvider {
  return {
    ...provider,
    baseUrl: baseUrl ?? null,
    createdAtMs: known?.createdAtMs ?? nowMs,
    keyRevision: known?.keyRevision ?? 0,
  }
}

function toEntries(values: Record<string, unknown>): { id: string; value: unknown }[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([id, value]) => ({ id, value }))
}

function compareList<Entry extends { id: string }>(
  kind: Difference['kind'],
  before: readonly Entry[],
  wanted: readonly Entry[],
) {
  const known = new Map(before.map((entry) => [entry.id, entry]))
  const wantedIds = new Set(wanted.map(({ id }) => id))
  const differences: Difference[] = []
  const save: Entry[] = []
  for (const entry of wanted) {
    const old = known.get(entry.id)
    const fields = compareFields(old ?? {}, entry)
    if (fields.length === 0) continue
    save.push(entry)
    differences.push({ change: old ? 'changed' : 'added', kind, id: entry.id, fields })
  }
  const missing = before.map(({ id }) => id).filter((id) => !wantedIds.has(id))
  return { kind, differences, save, missing }
}

function compareFields(before: object, after: object): Difference['fields'] {
  const old = fieldsOf(before)
  const wanted = fieldsOf(after)
  return [...new Set([...old.keys(), ...wanted.keys()])]
    .filter((field) => field !== 'id' && !isSame(old.get(field), wanted.get(field)))
    .map((field) => ({ field, before: old.get(field) ?? null, after: wanted.get(field) ?? null }))
}

/** Fields of an entry. Each setting of `routing` is listed separately, so that no change hides in a long value. */
function fieldsOf(entry: object): Map<string, unknown> {
  const fields = Object.entries(entry).flatMap(([field, value]: [string, unknown]) =>
    field === 'routing' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, set]): [string, unknown] => [`${field}.${name}`, set])
      : [[field, value] as [string, unknown]],
  )
  return new Map(fields)
}

function removal(kind: Difference['kind'], id: string): Difference {
  return { change: 'removed', kind, id, fields: [] }
}

/** JSON values with their members in the schema's order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
