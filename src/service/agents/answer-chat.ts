/** The request path for agents and models: agents run here, everything else goes to `completeChat`. */
import { startedExecution, type Execution } from '../../shared/agents/agent.ts'
import { ServiceError } from '../errors.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import type {
  AdmittedExecution,
  AgentCall,
  AnswerChat,
  ExecutionDependencies,
} from './agent-call.ts'
import { callerInput, leftOutOf } from './caller-input.ts'
import { ExecutionRun } from './execution.ts'

const prefix = 'agent:'

export function createAnswerChat(dependencies: ExecutionDependencies): AnswerChat {
  return {
    // Not async, so that requests without an agent have no overhead.
    admit(call) {
      const model = call.body.model ?? ''
      if (!model.startsWith(prefix)) return dependencies.completeChat.admit(call)
      return admitExecution(call, model.slice(prefix.length), dependencies)
    },
  }
}

async function admitExecution(
  call: AgentCall,
  slug: string,
  dependencies: ExecutionDependencies,
): Promise<AdmittedExecution> {
  const { library, limits, now, clock } = dependencies
  const refused = dependencies.refusalOf(call.router)
  if (refused !== null) throw refused
  const startedAt = clock()
  const found = library.find(slug)
  if (!found) throw unknownAgent(slug, dependencies)
  refuseForVendor(call)
  const input = callerInput(call.body)
  const adjusted = leftOutOf(call.body)
  const quota = await limits.countFree(call)
  const row = startedExecution({
    id: call.requestId,
    agent: slug,
    agentVersion: found.version,
    routerId: call.router.id,
    apiKeyId: call.apiKeyId,
    source: call.source,
    isStreamed: call.body.stream === true,
    startedAtMs: now(),
  })
  await begin(row, dependencies)
  if (adjusted.length > 0) call.onAdjusted?.(adjusted)
  const { agent } = found
  const run = () => new ExecutionRun({ call, agent, input, row, startedAt }, dependencies)
  return {
    quota,
    cache: null,
    stream: (signal) => run().stream(signal),
    complete: (signal) => run().complete(signal),
  }
}

/** Stores the execution before its first request, so that a crash cannot lose it. */
async function begin(row: Execution, { executions }: ExecutionDependencies): Promise<void> {
  try {
    await executions.begin(row)
  } catch (cause) {
    if (!(cause instanceof StorageUnavailable)) throw cause
    throw new ServiceError(
      'storage_unavailable',
      'The execution cannot be stored right now, so no model was asked. Try again.',
      { cause, headers: { 'retry-after': '5' } },
    )
  }
}

/**
 * Refuses fields of one vendor: each step is a request of its own, without them.
 * @throws ServiceError invalid_parameter
 */
function refuseForVendor({ original }: AgentCall): void {
  const param = original?.stateField ?? original?.required?.param
  if (param === undefined) return
  throw new ServiceError(
    'invalid_parameter',
    `Agents do not support "${param}", because it needs one vendor. Send the whole conversation, without it.`,
    { param },
  )
}

function unknownAgent(slug: string, { library }: ExecutionDependencies): ServiceError {
  const known = [...library.stored()].map((agent) => `agent:${agent.slug}`)
  const existing =
    known.length === 0 ? 'No agents exist yet.' : `Existing agents: ${known.join(', ')}.`
  return new ServiceError('agent_not_found', `There is no agent "${slug}". ${existing}`, {
    param: 'model',
  })
}
