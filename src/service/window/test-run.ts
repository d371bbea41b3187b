/** A test run of an agent: reports each step as it happens, with its texts. */
import type { Execution } from '../../shared/agents/agent.ts'
import type { AgentRunEvent } from '../../shared/agents/agent-window.ts'
import { shownText } from '../../shared/chat/chat.ts'
import type { Router } from '../../shared/entities.ts'
import type { AnswerChat, ExecutionWatch } from '../agents/agent-call.ts'
import { StreamBroken } from '../chat/attempts/attempts.ts'
import { ClientClosed } from '../chat/chat-call.ts'
import { ServiceError } from '../errors.ts'

export interface TestRun {
  /** Cancels all steps. */
  stop(): void
  /** Resolves after the last event; never rejects. */
  finished: Promise<void>
}

interface Test {
  /** The execution's id. */
  id: string
  agent: string
  router: Router
  input: string
  tell(event: AgentRunEvent): void
  /** The stored execution; null before it is stored. */
  execution(): Promise<Execution | null>
}

interface TestDependencies {
  answerChat: AnswerChat
  onBug(error: unknown): void
  /** Monotonic milliseconds. */
  clock(): number
}

export function startTestRun(test: Test, dependencies: TestDependencies): TestRun {
  const controller = new AbortController()
  const finished = run(test, dependencies, controller.signal)
  return { stop: () => controller.abort(new ClientClosed()), finished }
}

async function run(test: Test, dependencies: TestDependencies, signal: AbortSignal): Promise<void> {
  let output: string | null = null
  let error: string | null = null
  try {
    output = await answerOf(test, dependencies, signal)
  } catch (reason) {
    error = signal.aborted ? 'Run stopped.' : wordsFor(reason, dependencies)
  }
  const execution = await test.execution().catch((reason: unknown) => {
    dependencies.onBug(reason)
    return null
  })
  test.tell({ kind: 'end', execution, output, error })
}

async function answerOf(
  { id, agent, router, input, tell }: Test,
  { answerChat, clock }: TestDependencies,
  signal: AbortSignal,
): Promise<string> {
  const admitted = await answerChat.admit({
    requestId: id,
    router,
    body: { model: `agent:${agent}`, messages: [{ role: 'user', content: input }] },
    apiKeyId: null,
    source: 'chat',
    acceptAnyModel: false,
    client: null,
    cacheUse: 'none',
    watch: watchFor(tell, clock),
  })
  const { choices } = await admitted.complete(signal)
  return shownText(choices[0]?.message)
}

/** Converts the execution's callbacks to events for the window. */
function watchFor(tell: Test['tell'], clock: () => number): ExecutionWatch {
  const startedAt = clock()
  return {
    onAsk(id, { stepId, system, user }) {
      const startedMs = clock() - startedAt
      tell({ kind: 'request', request: { id, stepId, startedMs, system, user } })
    },
    onAnswer({ text, row }) {
      const answer = {
        id: row.id,
        tookMs: row.latencyMs,
        output: text,
        error: row.errorCode,
        model: row.modelUsed,
        costUsd: row.costNanoUsd / 1e9,
        carbonGrams: row.carbonGrams,
        attempts: row.attempts,
      }
      tell({ kind: 'answer', answer })
    },
    onStep: (step) => tell({ kind: 'step', step }),
  }
}

function wordsFor(error: unknown, { onBug }: TestDependencies): string {
  if (error instanceof StreamBroken) return error.error.message
  if (error instanceof ServiceError) return error.message
  onBug(error)
  return 'Something went wrong in Modelport. See the log for details.'
}
