/** Over random sequences, nothing starts without a consent to exactly that, and no tool runs that was not looked at. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Target } from '../../src/service/mcp/connection.ts'
import type { UsableTool } from '../../src/service/mcp/servers.ts'
import { randomSeeds } from '../torture/amounts.ts'
import { seeded } from '../agents/random.ts'
import { openServers } from './open-servers.ts'

const signal = new AbortController().signal
const steps = 60

test.each(randomSeeds({ quick: 10, full: 2_000 }))(
  'nothing runs unseen (seed %i)',
  async (seed) => {
    const random = seeded(seed).next
    const pick = <Item>(items: readonly Item[]): Item | undefined =>
      items[Math.floor(random() * items.length)]
    /** What the server says of its tool now. */
    let description = 'v0'
    let announce = () => {}
    const consented = new Set<string>()
    const approved = new Set<string>()
    const starts: string[] = []
    const calls: string[] = []
    const keyOf = (id: string, args: readonly string[]) => JSON.stringify([id, args])
    const idOf = (target: Target) =>
      target.kind === 'stdio' ? (target.env['ID'] ?? '') : target.url

    const { servers, store } = await openServers({
      async connect(target, { onToolsChanged }) {
        announce = onToolsChanged
        if (target.kind !== 'stdio') throw new Error('only processes are added here')
        starts.push(keyOf(idOf(target), target.args))
        return {
          listTools: async () => [{ name: 'tool', description, inputSchema: { type: 'object' } }],
          async callTool() {
            calls.push(description)
            return { outcome: 'done', text: '' }
          },
          listPrompts: async () => [],
          getPrompt: async () => ({ messages: [] }),
          close: async () => {},
        }
      },
    })

    const config = {
      kind: 'stdio' as const,
      command: process.execPath,
      args: ['a'],
      cwd: null,
      secretNames: ['ID'],
    }
    const added = await servers.add({ name: 'one', config, secrets: { ID: 'one' } })
    const { id } = added
    /** As the turn holds it, perhaps for long. */
    let held: UsableTool | null = null

    const moves: Record<string, () => Promise<unknown>> = {
      async consent() {
        const [server] = await servers.list()
        if (!server) return
        // Known before the start that follows.
        consented.add(keyOf('one', server.config.kind === 'stdio' ? server.config.args : []))
        await servers.consent(id, server.identity)
      },
      async 'consent to what was shown first'() {
        const [server] = await store.servers()
        if (JSON.stringify(server?.config) === JSON.stringify(config))
          consented.add(keyOf('one', config.args))
        await servers.consent(id, added.identity).catch(() => {})
      },
      async 'change of the command'() {
        const [server] = await store.servers()
        const args = [pick(['a', 'b', 'c']) ?? 'a']
        if (server) await store.saveServer({ ...server, config: { ...config, args } })
      },
      async 'change of the tool'() {
        description = pick(['v1', 'v2', 'v3']) ?? 'v1'
        announce()
      },
      async approve() {
        const tool = (await servers.list())[0]?.tools[0]
        if (!tool) return
        approved.add(tool.description)
        await servers.approve(id, { tool: tool.seal })
      },
      stop: () => servers.close(),
      refresh: () => servers.refresh(id),
      prompts: () => servers.prompts(id).catch(() => {}),
      'off and on': async () => {
        await servers.setOn(id, false)
        await servers.refresh(id)
        await servers.setOn(id, true)
      },
      hold: async () => void (held = (await servers.usableTools())[0] ?? held),
      async call() {
        const tool = pick([held, (await servers.usableTools())[0] ?? null]) ?? null
        if (tool) await servers.callTool(tool, {}, { signal })
      },
    }

    for (let step = 0; step < steps; step += 1) {
      const [name, move] = pick(Object.entries(moves)) ?? ['none', () => wait(0)]
      const [startsBefore, callsBefore] = [starts.length, calls.length]
      await move()
      const [now] = await store.servers()
      const allowed = keyOf('one', now?.config.kind === 'stdio' ? now.config.args : [])
      for (const start of starts.slice(startsBefore)) expect([name, start]).toEqual([name, allowed])
      for (const start of starts.slice(startsBefore)) expect(consented).toContain(start)
      for (const call of calls.slice(callsBefore)) expect(approved).toContain(call)
    }
    expect(starts.length + calls.length).toBeGreaterThan(0)
  },
)
