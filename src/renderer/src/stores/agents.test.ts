import { sampleConversation } from '../../../../test/sample-conversations.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../../../../test/renderer-harness/scene.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { startTestRun, stopTestRun, useTestRuns } from './agent-runs.ts'
import {
  beginAgent,
  checkAgent,
  agentDrafts,
  openAgent,
  refreshAgents,
  removeAgent,
  revertAgent,
  saveAgent,
  useAgents,
  useAgentDrafts,
  useOpenAgents,
} from './agents.ts'
import { agentOf, chooseAgent, forgetAgentChoice, useAgentChoices } from './chat-agents.ts'
import { connectChat } from './chat.ts'
import { dismissToasts, useToasts } from './toasts.ts'

const source = `name: two
steps:
  - id: first
    type: prompt
    user: "{{ input }}"
  - id: second
    type: prompt
    needs: [first]
    user: "{{ steps.first.output }}"
`

let scene: Scene

beforeEach(() => {
  scene = usedScene()
  connectChat(stubWindow(scene))
})

afterEach(() => {
  dismissToasts()
  vi.unstubAllGlobals()
})

function undo(): void {
  useToasts.getState().toasts.at(-1)?.action?.run()
}

describe('an agent', () => {
  test('is in the list once saved, and its unsaved text is discarded', async () => {
    agentDrafts.keep('', source)

    const saved = await saveAgent('', source)

    expect(saved).toMatchObject({ name: 'two', version: 1 })
    expect(useAgents.getState().items?.map(({ name }) => name)).toContain('two')
    expect(useAgentDrafts.getState()['']).toBeUndefined()
    expect(useOpenAgents.getState()['two']?.detail?.source).toBe(source)
  })

  test('keeps what was typed during its save as unsaved text of its own', async () => {
    const later = `${source}# more`
    agentDrafts.keep('', source)
    const created = saveAgent('', source)
    agentDrafts.keep('', later)
    await created
    expect(useAgentDrafts.getState()).toEqual({ two: later })

    const saved = saveAgent('two', later)
    agentDrafts.keep('two', `${later}, and more`)
    await saved
    expect(useAgentDrafts.getState()).toEqual({ two: `${later}, and more` })
    agentDrafts.discard('two')
  })

  test('that is begun over an unsaved one gives it back by undo', async () => {
    beginAgent(source)
    expect(useToasts.getState().toasts).toEqual([])
    beginAgent('name: other\n')
    expect(useAgentDrafts.getState()['']).toBe('name: other\n')
    undo()
    expect(useAgentDrafts.getState()['']).toBe(source)
    agentDrafts.discard('')
  })

  test('that is reverted gives its unsaved text back by undo', async () => {
    await saveAgent('', source)
    await saveAgent('two', `${source}# second`)
    agentDrafts.keep('two', `${source}# unsaved`)
    await revertAgent('two', source)
    expect(useOpenAgents.getState()['two']?.detail).toMatchObject({ version: 3, source })
    expect(useAgentDrafts.getState()['two']).toBeUndefined()
    undo()
    expect(useAgentDrafts.getState()['two']).toBe(`${source}# unsaved`)
    agentDrafts.discard('two')
  })

  test('with an error is not saved, and the typed text stays', async () => {
    agentDrafts.keep('newsletter', 'name: newsletter\nsteps: []\n')

    await expect(saveAgent('newsletter', 'name: newsletter\nsteps: []\n')).rejects.toThrow(
      'Add at least one step',
    )
    expect(useAgentDrafts.getState()['newsletter']).toContain('steps: []')
    expect(await checkAgent('name: newsletter\nsteps: []\n')).toMatchObject([
      { line: 2, field: 'steps' },
    ])
  })

  test('that was changed elsewhere is reloaded if its page was opened', async () => {
    await openAgent('translate')
    scene.agents = scene.agents.map((agent) =>
      agent.name === 'translate' ? { ...agent, version: 7 } : agent,
    )

    await refreshAgents()

    expect(useOpenAgents.getState()['translate']?.detail?.version).toBe(7)
    expect(useAgents.getState().items?.find(({ name }) => name === 'translate')?.version).toBe(7)
  })

  test('that was deleted has an error and is no longer listed', async () => {
    await removeAgent('newsletter')
    await openAgent('newsletter')

    expect(useAgents.getState().items?.map(({ name }) => name)).not.toContain('newsletter')
    expect(useOpenAgents.getState()['newsletter']?.error?.code).toBe('not_found')
  })
})

describe('a test run', () => {
  const routerId = 'router_Fh3kQ9aZ1bC4dE7g'
  const runOf = (agent: string) => useTestRuns.getState()[agent]?.run

  test('collects requests and answers until its end', async () => {
    await startTestRun('two', { source, routerId, input: 'Hi' })
    await expect.poll(() => runOf('two')?.end).not.toBeNull()

    const run = runOf('two')
    expect(run?.requests.map(({ stepId }) => stepId)).toEqual(['first', 'second'])
    expect(Object.keys(run?.answers ?? {})).toHaveLength(2)
    expect(run?.end).toMatchObject({ error: null, execution: { agent: 'two', steps: 2 } })
  })

  test('that is stopped shows it and keeps its earlier events', async () => {
    await startTestRun('two', { source, routerId, input: 'Hi' })
    stopTestRun('two')
    await expect.poll(() => runOf('two')?.end).not.toBeNull()

    expect(runOf('two')?.end?.error).toBe('Run stopped.')
    expect(runOf('two')?.requests).toHaveLength(1)
  })
})

test('a conversation is answered by the picked agent, or by the previous one', () => {
  const conversation = sampleConversation({ agent: 'news' })
  const picked = () => agentOf(conversation, useAgentChoices.getState()['c'])

  expect([agentOf(undefined, undefined), picked()]).toEqual([null, 'news'])
  chooseAgent('c', null)
  expect(picked()).toBeNull()
  chooseAgent('c', 'two')
  expect(picked()).toBe('two')
  forgetAgentChoice('c')
  expect(picked()).toBe('news')
})
