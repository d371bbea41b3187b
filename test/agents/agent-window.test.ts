/** The Agents page's interface on a real service. */
import { expect, test } from 'vitest'
import type { AgentRunEvent } from '../../src/shared/agents/agent-window.ts'
import { errorReply, type FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const source = `# Two steps.
name: news
description: Two steps
steps:
  - id: first
    type: prompt
    user: "one {{ input }}"
  - id: second
    type: prompt
    needs: [first]
    user: "two {{ steps.first.output }}"
`

const echo: FakeModelScript = ({ body }) => {
  const messages = body?.['messages'] as { content: string }[] | undefined
  return { text: `<${messages?.at(-1)?.content ?? ''}>` }
}

/** Runs a definition to its end. @returns the events in order */
async function run({ service, routerId }: TestService, text: string): Promise<AgentRunEvent[]> {
  const events: AgentRunEvent[] = []
  const input = { source: text, routerId, input: 'Hi' }
  await service.agents.run(input, (event) => events.push(event)).finished
  return events
}

function endOf(events: readonly AgentRunEvent[]) {
  return events.find((event) => event.kind === 'end')
}

test('errors name the line and field, including errors about other agents', async () => {
  const { service } = await startTestService()

  expect(service.agents.check(source)).toEqual([])
  expect(service.agents.check(source.replace('needs: [first]', 'needs: [fist]'))).toContainEqual({
    line: 10,
    column: 13,
    field: 'steps[1].needs[0]',
    message: 'there is no step "fist" in the same list',
  })
  expect(
    service.agents.check(
      source.replace(
        'type: prompt\n    user: "one',
        'type: agent\n    agent: other\n    input: "one',
      ),
    ),
  ).toMatchObject([{ message: 'there is no agent "other"' }])
})

test('an error names the agent that calls this one and would no longer run', async () => {
  const { service } = await startTestService()
  const calling = (name: string, agent: string) =>
    `name: ${name}\nsteps: [{ id: call, type: agent, agent: ${agent} }]\n`
  const text = (name: string) => `name: ${name}\nsteps: [{ id: t, type: text, text: x }]\n`
  await service.agents.save(text('f'))
  await service.agents.save(text('e'))
  await service.agents.save(calling('d', 'e'))
  await service.agents.save(calling('c', 'd'))
  await service.agents.save(calling('b', 'c'))
  await service.agents.save(calling('a', 'b'))

  const message =
    'agent:a would no longer run: agents can call agents at most 5 levels deep: a → b → c → d → e → f'
  expect(service.agents.check(calling('e', 'f'))).toEqual([
    { line: 1, column: 1, field: '', message },
  ])
  expect(service.agents.check(`${text('e')}# changed`)).toEqual([])
})

test('a change of the agents is reported to the window', async () => {
  const { service } = await startTestService()
  const changed: string[] = []
  service.on('changed', ({ what }) => changed.push(what))

  await service.agents.save(source)
  await service.agents.save(source)
  await service.agents.remove('news')

  expect(changed).toEqual(['agents', 'agents'])
})

test('each save creates a version, listed newest first; an agent can be removed', async () => {
  const { service } = await startTestService()
  await service.agents.save(source)
  const changed = source.replace('Two steps\n', 'Two\n')

  const saved = await service.agents.save(changed)

  expect(saved.versions.map(({ version, source: text }) => [version, text])).toEqual([
    [2, changed],
    [1, source],
  ])
  expect(await service.agents.get('news')).toEqual(saved)
  await service.agents.remove('news')
  await expect(service.agents.get('news')).rejects.toThrow('There is no agent "news".')
})

test('a new agent, and one that is renamed in its text, replace no other agent', async () => {
  const { service } = await startTestService()
  await service.agents.save(source, '')
  const other = source.replace('name: news', 'name: other')
  await service.agents.save(other, '')

  const refusal = {
    code: 'conflict',
    field: 'name',
    message: 'An agent "news" already exists. Change "name" in the text.',
  }
  await expect(service.agents.save(`${source}# new`, '')).rejects.toMatchObject(refusal)
  await expect(service.agents.save(`${source}# other`, 'other')).rejects.toMatchObject(refusal)
  expect((await service.agents.get('news')).versions).toHaveLength(1)
  await service.agents.save(`${source}# itself`, 'news')
  expect((await service.agents.get('news')).version).toBe(2)
})

test('a test run of an unsaved definition reports each request with its texts and figures', async () => {
  const running = await startTestService({ models: { m: echo } })

  const events = await run(running, source)

  expect(events.map((event) => event.kind)).toEqual([
    'request',
    'answer',
    'step',
    'request',
    'answer',
    'step',
    'end',
  ])
  expect(events[3]).toMatchObject({
    request: { stepId: 'second', user: 'two <one Hi>', system: null },
  })
  const output = '<two <one Hi>>'
  expect(events[4]).toMatchObject({
    answer: { output, error: null, model: 'fake:m', attempts: 1, costUsd: expect.any(Number) },
  })
  expect(endOf(events)).toMatchObject({
    output,
    error: null,
    execution: { agent: 'news', agentVersion: 0, state: 'done', steps: 2 },
  })
  expect(await running.service.agents.list()).toEqual([])
})

test('a failed step gives its reason, and the run counts as failed', async () => {
  const running = await startTestService({ models: { m: { reply: errorReply(400) } } })
  await running.service.agents.save(source)

  const events = await run(running, source)

  expect(endOf(events)).toMatchObject({
    output: null,
    error: expect.stringContaining('Step "first"'),
  })
  const [summary] = await running.service.agents.list()
  expect(summary).toMatchObject({
    name: 'news',
    steps: 2,
    figures: { runs: 1, done: 0, failed: 1 },
  })
})

test('stop ends a run', async () => {
  const running = await startTestService({ models: { m: { firstByteDelayMs: 30_000 } } })
  const events: AgentRunEvent[] = []
  const { service, routerId } = running
  const started = service.agents.run({ source, routerId, input: 'Hi' }, (event) =>
    events.push(event),
  )
  await expect.poll(() => events.length).toBeGreaterThan(0)

  started.stop()
  await started.finished

  expect(endOf(events)).toMatchObject({ error: 'Run stopped.' })
})

test('closing the service ends a run and stores it as failed', async () => {
  const running = await startTestService({ models: { m: { firstByteDelayMs: 30_000 } } })
  const events: AgentRunEvent[] = []
  const { service, routerId } = running
  const started = service.agents.run({ source, routerId, input: 'Hi' }, (event) =>
    events.push(event),
  )
  await expect.poll(() => events.length).toBeGreaterThan(0)

  await service.close()
  await started.finished

  expect(endOf(events)).toMatchObject({
    error: 'Run stopped.',
    execution: { state: 'failed', status: 499, steps: 1 },
  })
})

test('an execution has the rows of its steps', async () => {
  const running = await startTestService({ models: { m: echo } })
  await running.service.agents.save(source)
  await run(running, source)
  await running.ledger(2)

  const [execution] = await running.service.agents.executions({ agent: 'news', limit: 10 })
  const detail = await running.service.agents.execution(execution?.id ?? '')

  expect(detail?.requests.map(({ stepId }) => stepId)).toEqual(['first', 'second'])
  expect(detail?.execution.costNanoUsd).toBe(
    detail?.requests.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
  )
  expect(await running.service.agents.execution('none')).toBeNull()
})
