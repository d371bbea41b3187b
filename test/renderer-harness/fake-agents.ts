/** The fake service's agents: definitions in memory, and simulated runs of their steps. */
import { parseDocument } from 'yaml'
import {
  agentDefinitionSchema,
  graphsOf,
  type Execution,
  type Step,
} from '../../src/shared/agents/agent.ts'
import type {
  AgentDetail,
  AgentRunEvent,
  AgentSummary,
  DefinitionIssue,
} from '../../src/shared/agents/agent-window.ts'
import { Refusal, type HandlersOf, type PortReceiver } from './handlers.ts'
import type { Scene } from './scene.ts'

export function agentHandlers(
  scene: Scene,
  receiver: PortReceiver,
): HandlersOf<`agents:${string}`> {
  return {
    'agents:list': () => scene.agents.map((agent) => summaryOf(scene, agent)),
    'agents:get': ({ name }) => existing(scene, name),
    'agents:check': ({ source }) => issuesOf(source),
    'agents:save': ({ source, edited }) => {
      const [issue] = issuesOf(source)
      if (issue) throw new Refusal('invalid', issue.message, issue.field)
      const { name } = agentDefinitionSchema.parse(parseDocument(source).toJS())
      const known = scene.agents.find((agent) => agent.name === name)
      if (known && edited !== undefined && edited !== name) {
        throw new Refusal('conflict', `An agent "${name}" already exists.`, 'name')
      }
      const version = (known?.version ?? 0) + 1
      const versions = [{ version, source, createdAtMs: Date.now() }, ...(known?.versions ?? [])]
      const saved = { name, version, source, versions }
      scene.agents = [...scene.agents.filter((agent) => agent !== known), saved]
      return saved
    },
    'agents:remove': ({ name }) => {
      scene.agents = scene.agents.filter((agent) => agent.name !== name)
    },
    'agents:executions': ({ agent, limit }) =>
      scene.executions.filter((run) => run.agent === agent).slice(0, limit),
    'agents:execution': ({ id }) => {
      const execution = scene.executions.find((run) => run.id === id)
      if (!execution) return null
      return { execution, requests: scene.steps[id] ?? [] }
    },
    'agents:run': ({ source, input, routerId }) => {
      const streamId = crypto.randomUUID()
      const { port1, port2 } = new MessageChannel()
      receiver.postMessage({ kind: 'modelport:stream', streamId }, '*', [port2])
      void pretendRun(scene, { port: port1, source, input, routerId })
      return { streamId }
    },
  }
}

function existing(scene: Scene, name: string): AgentDetail {
  const agent = scene.agents.find((known) => known.name === name)
  if (!agent) throw new Refusal('not_found', `There is no agent ${name}.`)
  return agent
}

/** Errors of form; errors that only the service can find are not reported. */
function issuesOf(source: string): DefinitionIssue[] {
  const document = parseDocument(source)
  const [error] = document.errors
  if (error) return [{ line: 1, column: 1, field: '', message: error.message }]
  const checked = agentDefinitionSchema.safeParse(document.toJS())
  return (checked.error?.issues ?? []).map(({ path, message }) => {
    const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    const range = rangeOf(document, path)
    const line = source.slice(0, range).split('\n').length
    return { line, column: 1, field: parts.join('').replace(/^\./, ''), message }
  })
}

function rangeOf(document: ReturnType<typeof parseDocument>, path: PropertyKey[]): number {
  const node: unknown = document.getIn(path, true)
  const isNode = typeof node === 'object' && node !== null && 'range' in node
  return isNode && Array.isArray(node.range) ? Number(node.range[0]) : 0
}

function summaryOf(scene: Scene, { name, version, source, versions }: AgentDetail): AgentSummary {
  const { description, steps } = agentDefinitionSchema.parse(parseDocument(source).toJS())
  const runs = scene.executions.filter(({ agent }) => agent === name)
  const done = runs.filter(({ state }) => state === 'done')
  const mean = (valueOf: (run: Execution) => number) =>
    done.length === 0 ? null : done.reduce((sum, run) => sum + valueOf(run), 0) / done.length
  return {
    name,
    description,
    version,
    updatedAtMs: versions[0]?.createdAtMs ?? 0,
    steps: allOf(steps).length,
    figures: {
      runs: runs.length,
      done: done.length,
      failed: runs.length - done.length,
      costUsdMean: mean(({ costNanoUsd }) => costNanoUsd / 1e9),
      latencyMsMean: mean(({ latencyMs }) => latencyMs ?? 0),
      carbonGramsMean: mean(({ carbonGrams }) => carbonGrams),
      lastRunAtMs: runs[0]?.startedAtMs ?? null,
    },
  }
}

function allOf(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...graphsOf(step).flatMap(allOf)])
}

interface PretendedRun {
  port: MessagePort
  source: string
  input: string
  routerId: string
}

/** Every prompt in order, 60 ms each; with the input "fail" the second one fails. */
async function pretendRun(scene: Scene, { port, source, input, routerId }: PretendedRun) {
  const { name, steps } = agentDefinitionSchema.parse(parseDocument(source).toJS())
  const execution = pretendedExecution(name, { routerId, startedAtMs: Date.now() })
  const tell = (event: AgentRunEvent) => port.postMessage(event)
  const stop = new AbortController()
  port.addEventListener('message', () => stop.abort())
  port.start()
  const prompts = allOf(steps).filter(({ type }) => type === 'prompt' || type === 'judge')
  let atMs = 0
  for (const [index, step] of prompts.entries()) {
    const id = crypto.randomUUID()
    const user = `${step.id}: ${input}`
    tell({ kind: 'request', request: { id, stepId: step.id, startedMs: atMs, system: null, user } })
    await new Promise((resolve) => setTimeout(resolve, 60))
    const isFailed = stop.signal.aborted || (input === 'fail' && index === 1)
    const answer = {
      id,
      tookMs: 60 + index * 25,
      output: isFailed ? null : `Answer ${index + 1} to “${input}”.`,
      error: isFailed ? 'openai:gpt-5-mini is out of credit.' : null,
      model: 'openai:gpt-5-mini',
      costUsd: 0.000_31,
      carbonGrams: 0.02,
      attempts: 1,
    }
    tell({ kind: 'answer', answer })
    const outcome = isFailed ? 'failed' : 'done'
    const { tookMs } = answer
    tell({
      kind: 'step',
      step: { stepId: step.id, type: step.type, outcome, startedMs: atMs, tookMs },
    })
    atMs += tookMs
    if (isFailed) {
      const error = stop.signal.aborted
        ? 'Run stopped.'
        : `Step "${step.id}": openai:gpt-5-mini is out of credit.`
      tell({ kind: 'end', execution: { ...execution, state: 'failed' }, output: null, error })
      return
    }
  }
  scene.executions.unshift({ ...execution, steps: prompts.length, latencyMs: atMs })
  const ended = { ...execution, steps: prompts.length, latencyMs: atMs }
  tell({ kind: 'end', execution: ended, output: `**Done** with “${input}”.`, error: null })
}

export function pretendedExecution(
  agent: string,
  differences: Partial<Execution> & Pick<Execution, 'routerId' | 'startedAtMs'>,
): Execution {
  return {
    id: crypto.randomUUID(),
    agent,
    agentVersion: 1,
    apiKeyId: null,
    source: 'chat',
    isStreamed: true,
    state: 'done',
    status: 200,
    errorCode: null,
    failedStep: null,
    latencyMs: 1830,
    steps: 4,
    costNanoUsd: 1_240_000,
    carbonGrams: 0.31,
    models: ['openai:gpt-5-mini', 'local:SmolLM2-135M-Instruct'],
    trace: [],
    ...differences,
  }
}
