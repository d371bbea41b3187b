import { parseDocument } from 'yaml'
import { recordOf, valueOf } from './draft.ts'

/** A bundled definition. */
export interface AgentExample {
  name: string
  description: string
  source: string
}

const files = import.meta.glob<string>('../../../../../resources/agents/*.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Sorted by name. */
export const agentExamples: readonly AgentExample[] = Object.values(files)
  .map((source) => {
    const { name, description } = recordOf(valueOf(parseDocument(source))) ?? {}
    return { name: String(name), description: String(description), source }
  })
  .toSorted((a, b) => a.name.localeCompare(b.name))
