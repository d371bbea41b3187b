import { join } from 'node:path'
import type { Page } from '@playwright/test'

const script = join(import.meta.dirname, '..', 'test', 'mcp', 'stdio-server.ts')

/** The Node.js of the tests. */
export const node = join(import.meta.dirname, '..', 'node_modules', '.bin', 'node')

/** Arguments of a scripted MCP server. @param log  what it writes. @param fault  of `test/mcp/stdio-server.ts` */
export function serverArgs(log: string, fault = 'none'): string[] {
  return ['--no-warnings', script, fault, log]
}

/** Adds the scripted server as “Notes”, and consents to it and to its tools. */
export async function addTestServer(window: Page, args: readonly string[]): Promise<void> {
  await window.evaluate(
    async ([command, ...given]) => {
      const config = {
        kind: 'stdio' as const,
        command: command ?? '',
        args: given,
        cwd: null,
        secretNames: [],
      }
      const added = await modelport.call('mcp:add', { name: 'Notes', config, secrets: {} })
      if (!added.ok) throw new Error(added.error.message)
      const { id, identity } = added.value
      const started = await modelport.call('mcp:consent', { id, identity })
      if (!started.ok) throw new Error(started.error.message)
      const seals = Object.fromEntries(started.value.tools.map(({ name, seal }) => [name, seal]))
      await modelport.call('mcp:approve', { id, seals })
    },
    [node, ...args],
  )
}
