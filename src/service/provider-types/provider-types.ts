/** Creates adapters, and answers questions about provider types. */
import type { Capability } from '../../shared/models/model-abilities.ts'
import type { ProviderType } from '../../shared/models/provider-type.ts'
import type { Preset } from './preset.ts'
import { presets } from './presets.ts'
import { isLoopback } from '../providers/address-guard.ts'
import { ProviderError, type Provider } from '../providers/provider.ts'
import { SlottedProvider } from '../providers/slots.ts'
import type { HttpConnection, Wire } from '../providers/wire.ts'
import { wires } from '../families/upstreams.ts'

/** The input for creating an adapter. */
export interface ProviderConnection extends Omit<HttpConnection, 'baseUrl'> {
  /** The user's own address; null uses the type's address. */
  baseUrl: string | null
  localModel: Provider
}

/** The types as data, for the interface. */
export const providerTypes: readonly ProviderType[] = presets.map(
  ({
    wire: _wire,
    takesReasoningEffort: _takes,
    takesEveryEffort: _every,
    modelList: _list,
    modelServer: _server,
    extensions: _fields,
    strictToolTurns: _strict,
    embeddings: _embeddings,
    ...type
  }) => type,
)

/** Typed more widely, so that any name can be looked up. */
export function findProviderType(type: string): ProviderType | undefined {
  return providerTypes.find((known) => known.type === type)
}

export function isLocalType(type: string | undefined): boolean {
  return type !== undefined && findProviderType(type)?.isLocal === true
}

export interface ProviderLocation {
  type: string
  /** Null or absent: the type's own. */
  baseUrl?: string | null | undefined
}

/** The built-in model, or a model server at an address of this computer. */
export function runsOnThisComputer({ type, baseUrl }: ProviderLocation): boolean {
  const preset = presets.find((known) => known.type === type)
  if (preset === undefined || preset.isLocal) return preset?.isLocal === true
  const address = baseUrl ?? preset.baseUrl
  return preset.modelServer !== undefined && address !== null && isLoopback(new URL(address))
}

/** How long a server of this type keeps a model in memory after its last answer; null for other types. */
export function keepsLoadedMs(type: string | undefined): number | null {
  return presets.find((known) => known.type === type)?.modelServer?.keepsLoadedMs ?? null
}

export function takesReasoningEffort(type: string | undefined): boolean {
  return presets.some((known) => known.type === type && known.takesReasoningEffort === true)
}

/** Capabilities that a model loses, because the wire has no field for them. @param model  the provider's own name */
export function capabilitiesLost(
  { type, options }: StoredChoice,
  model: string,
): readonly Capability[] {
  const wire = presets.find((known) => known.type === type)?.wire ?? null
  if (wire === null) return []
  const { lacks = [] }: Wire = wires[wire]
  return typeof lacks === 'function' ? lacks(model, options) : lacks
}

interface StoredChoice {
  type: string
  options: HttpConnection['options']
}

/** Types of vendors: public price lists contain their models. */
export function publishedTypes(): string[] {
  return providerTypes
    .filter(({ isLocal, isSelfHosted }) => !isLocal && !isSelfHosted)
    .map(({ type }) => type)
}

/**
 * The address to which a provider's keys belong: scheme, host and port. A type whose wire composes the address
 * itself (such as one per region) has its own name instead.
 */
export function originOf({ type, baseUrl }: { type: string; baseUrl: string | null }): string {
  const address = baseUrl ?? findProviderType(type)?.baseUrl ?? null
  return address === null ? type : new URL(address).origin
}

/** @throws ProviderError when the type is unknown or a required value is missing */
export function createProvider(type: string, connection: ProviderConnection): Provider {
  const preset = presets.find((known) => known.type === type)
  if (!preset) throw new ProviderError('unavailable', 'its type is unknown', { isLasting: true })
  if (preset.wire === null) return connection.localModel
  const baseUrl = connection.baseUrl ?? preset.baseUrl
  if (!baseUrl) throw new ProviderError('unavailable', 'it has no address', { isLasting: true })
  const modelList = connection.baseUrl === null ? preset.modelList : undefined
  const provider = wires[preset.wire].create({
    ...connection,
    baseUrl,
    modelList,
    extensions: preset.extensions,
    strictToolTurns: preset.strictToolTurns,
    takesEveryEffort: preset.takesEveryEffort,
    embeddings: preset.embeddings,
  })
  const slots = slotsOf(preset, connection.options)
  return slots === null ? provider : new SlottedProvider(provider, { slots, now: connection.now })
}

/** How many requests the server answers at once; null: no request has to wait. */
function slotsOf({ modelServer }: Preset, options: ProviderConnection['options']): number | null {
  return Number(options['slots']) || (modelServer?.slots ?? null)
}
