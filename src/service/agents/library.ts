/** The agents of the configuration. Each version is parsed once. */
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { StoredAgent } from '../storage/storage.ts'
import type { CompiledAgent } from './compiled.ts'
import { readDefinition } from './read-definition.ts'

interface Read {
  source: string
  /** Null if this version of Modelport cannot read the definition. */
  agent: CompiledAgent | null
}

export class AgentLibrary {
  readonly #configuration: () => Pick<ConfigurationIndex, 'agents'>
  readonly #read = new Map<string, Read>()

  constructor(configuration: () => Pick<ConfigurationIndex, 'agents'>) {
    this.#configuration = configuration
  }

  /** All current agents, sorted by name. */
  stored(): Iterable<StoredAgent> {
    return this.#configuration().agents.values()
  }

  /** @returns null for an unknown agent */
  find(slug: string): { agent: CompiledAgent; version: number } | null {
    const stored = this.#configuration().agents.get(slug)
    if (!stored) return null
    const { source, version } = stored
    const known = this.#read.get(slug)
    const read = known?.source === source ? known : { source, agent: compiled(source) }
    this.#read.set(slug, read)
    return read.agent && { agent: read.agent, version }
  }
}

function compiled(source: string): CompiledAgent | null {
  const read = readDefinition(source)
  return read.ok ? read.agent : null
}
