import { expect, test } from 'vitest'
import type { StoredTool } from '../../src/service/storage/mcp-store.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import type { ToolCallRecord } from '../../src/shared/chat/tools.ts'

const config = { kind: 'http' as const, url: 'https://mcp.example.com/', secretNames: ['X-Key'] }
const server = { id: 'mcp-1', name: 'Files', config, isOn: true, addedAtMs: 1 }

function tool(name: string, over: Partial<StoredTool> = {}): StoredTool {
  const claims = { isReadOnly: true, isDestructive: false }
  return {
    definition: { name, title: null, description: '', inputSchema: { type: 'object' }, claims },
    seal: 'a',
    approvedSeal: null,
    permission: 'ask',
    marks: { readsPrivate: true, readsForeign: false, sendsOut: true },
    grants: [{ argument: 'path', kind: 'folder', within: '/notes' }],
    ...over,
  }
}

function call(over: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return {
    id: 'call-1',
    requestId: 'request-1',
    server: 'Files',
    tool: 'read',
    outcome: 'running',
    allowedBy: 'once',
    startedAtMs: 1,
    latencyMs: null,
    bytes: null,
    ...over,
  }
}

export function describeMcp(storage: () => Storage): void {
  test('servers keep the order in which they were added, and go with their tools', async () => {
    const { mcp } = storage()
    await mcp.saveServer({ ...server, id: 'mcp-2', name: 'Mail', addedAtMs: 2 })
    await mcp.saveServer(server)
    await mcp.saveTools('mcp-1', [tool('write'), tool('read', { approvedSeal: 'a' })])
    await mcp.saveServer({ ...server, isOn: false, addedAtMs: 9 })

    expect((await mcp.servers()).map(({ id, isOn }) => [id, isOn])).toEqual([
      ['mcp-1', false],
      ['mcp-2', true],
    ])
    expect(await mcp.tools('mcp-1')).toEqual([tool('write'), tool('read', { approvedSeal: 'a' })])

    await mcp.saveTools('mcp-1', [tool('read')])
    expect(await mcp.tools('mcp-1')).toEqual([tool('read')])
    await mcp.removeServer('mcp-1')
    expect([await mcp.tools('mcp-1'), (await mcp.servers()).length]).toEqual([[], 1])
  })

  test('a call is stored before it ends, and a crash leaves it unknown', async () => {
    const { mcp } = storage()
    await mcp.saveCall(call())
    await mcp.saveCall(call({ id: 'call-2', startedAtMs: 2 }))
    const ended = call({ outcome: 'done', latencyMs: 1.5, bytes: 7 })
    await mcp.saveCall(ended)
    await mcp.saveCall(call({ id: 'call-3', requestId: 'request-2' }))

    expect(await mcp.endInterrupted()).toBe(2)

    expect(await mcp.callsOf('request-1')).toEqual([
      ended,
      call({ id: 'call-2', startedAtMs: 2, outcome: 'unknown' }),
    ])
  })

  test('calls are deleted with the requests of their day', async () => {
    const { mcp, ledger } = storage()
    await mcp.saveCall(call({ outcome: 'done', startedAtMs: 10 }))
    await mcp.saveCall(call({ id: 'call-2', outcome: 'done', startedAtMs: 20 }))
    const limits = { rowsBeforeMs: 15, minutesBeforeMs: 0, hoursBeforeMs: 0 }
    while (!(await ledger.prune({ ...limits, maxBytes: Number.MAX_SAFE_INTEGER, keptSinceMs: 0 })));
    expect((await mcp.callsOf('request-1')).map(({ id }) => id)).toEqual(['call-2'])
  })
}
