/** The agents of the configuration. Each version is parsed once. */
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { StoredAgent } from '../storage/storage.ts'
import { brokenCaller, type AgentOf } from './check-calls.ts'
import type { CompiledAgent } from './compiled.ts'
import { readDefinition, refusal, type ReadDefinition } from './read-definition.ts'

interface Read {
  source: string
  /** Null if this version of Modelport cannot read the definition. */
  agent: CompiledAgent | null
}

export class AgentLibrary {
  readonly #configuration: () => Pick<ConfigurationIndex, 'agents'>
  readonly #read = new Map<string, Read>()
  /** The stored agents by name. */
  readonly agentOf: AgentOf = (slug) => this.find(slug)?.agent ?? null

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
    const read = known?.source === source ? known : { source, agent: compiledAgent(source) }
    this.#read.set(slug, read)
    return read.agent && { agent: read.agent, version }
  }

  /** The stored agents that this version of Modelport can read, without those of the names. */
  othersThan(names: ReadonlySet<string>): CompiledAgent[] {
    const others = [...this.stored()].filter(({ slug }) => !names.has(slug))
    return others.flatMap(({ slug }) => this.agentOf(slug) ?? [])
  }

  /** Reads a new version of an agent, which may call stored agents and must not break those that call it. */
  read(source: string): ReadDefinition {
    const read = readDefinition(source, this.agentOf)
    if (!read.ok) return read
    const { name } = read.agent.definition
    const broken = brokenCaller(this.othersThan(new Set([name])), {
      before: this.agentOf,
      after: (slug) => (slug === name ? read.agent : this.agentOf(slug)),
    })
    return broken === null ? read : refusal(broken)
  }
}

/** @returns null for a definition that this version of Modelport cannot read */
export function compiledAgent(source: string): CompiledAgent | null {
  const read = readDefinition(source)
  return read.ok ? read.agent : null
}
