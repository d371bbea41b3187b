/**
 * Writes resources/agent.schema.json, the JSON Schema of an agent's file, from the one definition of it in
 * src/shared/agents/agent.ts (`node scripts/agent-schema.ts`); a test compares the file with what this writes.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { agentJsonSchema } from '../src/shared/agents/agent.ts'

const file = path.resolve(import.meta.dirname, '../resources/agent.schema.json')
writeFileSync(file, `${JSON.stringify(agentJsonSchema(), null, 2)}\n`)
