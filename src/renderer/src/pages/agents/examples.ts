import { readDraft } from './draft.ts'
import { textOf } from './draft-fields.tsx'

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
  .flatMap((source) => {
    const fields = readDraft(source)?.fields
    if (!fields) return []
    return [{ name: textOf(fields['name']), description: textOf(fields['description']), source }]
  })
  .toSorted((a, b) => a.name.localeCompare(b.name))
