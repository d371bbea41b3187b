import { create } from 'zustand'
import type { StepTrace } from '../../../shared/agents/agent.ts'
import type { AgentRunEvent, StepAnswer, StepRequest } from '../../../shared/agents/agent-window.ts'
import type { StreamCommand } from '../../../shared/chat/chat-stream.ts'
import { takePort } from './chat.ts'
import { call, toCallError, type CallError } from './client.ts'
import { t } from '../../../shared/strings/strings.ts'

/** The state of one test run. */
export interface TestRun {
  startedAtMs: number
  requests: readonly StepRequest[]
  answers: Readonly<Record<string, StepAnswer>>
  /** Finished steps, in the order in which they ended. */
  steps: readonly StepTrace[]
  end: Extract<AgentRunEvent, { kind: 'end' }> | null
}

interface RunState {
  /** The text of the input field. */
  input: string
  routerId: string | null
  run: TestRun | null
  /** The error when it could not start. */
  error: CallError | null
}

/** The test run of each agent, by name. It continues when the user opens another page. */
export const useTestRuns = create<Record<string, RunState>>(() => ({}))

export const noTestRun: RunState = { input: '', routerId: null, run: null, error: null }

const ports = new Map<string, MessagePort>()

export function changeTestRun(agent: string, change: Partial<RunState>): void {
  useTestRuns.setState((all) => ({ [agent]: { ...(all[agent] ?? noTestRun), ...change } }))
}

/** Runs the text, saved or not. Never rejects: a failure to start is in `error`. */
export async function startTestRun(
  agent: string,
  { source, routerId, input }: { source: string; routerId: string; input: string },
): Promise<void> {
  const run: TestRun = { startedAtMs: Date.now(), requests: [], answers: {}, steps: [], end: null }
  changeTestRun(agent, { run, error: null })
  try {
    const { streamId } = await call('agents:run', { source, routerId, input })
    const port = await takePort(streamId)
    if (port) follow(agent, port)
  } catch (error) {
    changeTestRun(agent, { run: null, error: toCallError(error) })
  }
}

/** Cancels all steps and keeps the results so far. */
export function stopTestRun(agent: string): void {
  const stop: StreamCommand = { kind: 'stop' }
  ports.get(agent)?.postMessage(stop)
}

/** Applies an event to the run. */
export function withEvent(run: TestRun, event: AgentRunEvent): TestRun {
  switch (event.kind) {
    case 'request':
      return { ...run, requests: [...run.requests, event.request] }
    case 'answer':
      return { ...run, answers: { ...run.answers, [event.answer.id]: event.answer } }
    case 'step':
      return { ...run, steps: [...run.steps, event.step] }
    case 'end':
      return { ...run, end: event }
  }
}

function follow(agent: string, port: MessagePort): void {
  ports.get(agent)?.close()
  ports.set(agent, port)
  const tell = (event: AgentRunEvent) => {
    const run = useTestRuns.getState()[agent]?.run
    if (!run || ports.get(agent) !== port) return
    changeTestRun(agent, { run: withEvent(run, event) })
  }
  const end = () => {
    if (ports.get(agent) !== port) return
    const run = useTestRuns.getState()[agent]?.run
    const error = t('The run was interrupted')
    if (run?.end === null) tell({ kind: 'end', execution: null, output: null, error })
    ports.delete(agent)
    port.close()
  }
  port.addEventListener('message', ({ data }: MessageEvent<AgentRunEvent>) => {
    tell(data)
    if (data.kind === 'end') end()
  })
  port.addEventListener('close', end)
  port.start()
}
