/**
 * Names of tools in the inner form, which has no namespaces and takes 64 letters, digits, `_` and `-`: `crm` and `find`
 * become `crm__find`. Callers take a call only with the tool's own name, and Codex with its namespace.
 */
import { hash } from 'node:crypto'

/** A tool as the caller knows it. */
export interface CallerTool {
  name: string
  /** Null for a tool without one. */
  namespace: string | null
  /** `custom`: its input is a text. `search`: it finds further tools, and the caller runs it. */
  kind: 'function' | 'custom' | 'search'
}

/** Vendors take no longer names. */
const longestName = 64

export class ToolNames {
  readonly #tools = new Map<string, CallerTool>()
  /** Names in the inner form, by namespace and name. */
  readonly #flatNames = new Map<string, string>()
  /** Tools in namespaces by name; null where several have the same name. */
  readonly #onlyOnes = new Map<string, string | null>()

  /** @returns its name in the inner form; null for a tool that is already known */
  add(tool: CallerTool): string | null {
    const key = keyOf(tool)
    if (this.#flatNames.has(key)) return null
    const flat = this.#unique(flatName(tool))
    this.#flatNames.set(key, flat)
    this.#tools.set(flat, tool)
    const { name, namespace } = tool
    if (namespace !== null) this.#onlyOnes.set(name, this.#onlyOnes.has(name) ? null : flat)
    return flat
  }

  /** The name in the inner form, also of a tool that is no longer offered. */
  flatOf(tool: Pick<CallerTool, 'name' | 'namespace'>): string {
    const known = this.#flatNames.get(keyOf(tool))
    if (known !== undefined) return known
    // Codex leaves the namespace out of calls that it sends back.
    const same = tool.namespace === null ? this.#onlyOnes.get(tool.name) : null
    return same ?? flatName(tool)
  }

  /** @param flat  as the model called it */
  find(flat: string): CallerTool {
    return this.#tools.get(flat) ?? { name: flat, namespace: null, kind: 'function' }
  }

  #unique(name: string): string {
    let unique = name
    for (let count = 2; this.#tools.has(unique); count += 1) {
      unique = `${name.slice(0, longestName - 4)}_${count}`
    }
    return unique
  }
}

function keyOf({ name, namespace }: Pick<CallerTool, 'name' | 'namespace'>): string {
  return JSON.stringify([namespace, name])
}

function flatName({ name, namespace }: Pick<CallerTool, 'name' | 'namespace'>): string {
  const joined = namespace === null ? name : `${namespace}__${name}`
  const fit = joined.replaceAll(/[^\w-]/g, '_')
  if (fit.length <= longestName) return fit
  // The end of a name says more than its middle, but only a hash keeps long names apart.
  return `${fit.slice(0, longestName - 9)}_${hash('sha256', joined).slice(0, 8)}`
}
