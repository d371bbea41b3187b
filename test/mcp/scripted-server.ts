import { join } from 'node:path'
import type { EnteredServer } from '../../src/shared/chat/tools.ts'

const script = join(import.meta.dirname, 'stdio-server.ts')

/** @param fault  of `stdio-server.ts`. @param log  lines that it writes: its starts, and its writes */
export function scripted({ log }: { log: string }, fault = 'none', name = 'Test'): EnteredServer {
  const config = {
    kind: 'stdio' as const,
    command: process.execPath,
    args: ['--no-warnings', script, fault, log],
    cwd: null,
    secretNames: [],
  }
  return { name, config, secrets: {} }
}
