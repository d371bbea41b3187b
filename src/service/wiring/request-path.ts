/** The request path, assembled: the endpoint, the chat window and `agent run` send their requests through it. */
import type { Execution } from '../../shared/agents/agent.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import { brokenCacheOf, raisesAlarm } from '../../shared/requests/broken-cache.ts'
import { nameOfSession } from '../../shared/requests/session.ts'
import type { RequestContent } from '../../shared/requests/content.ts'
import type { TimeLimits } from '../../shared/routers/time-limits.ts'
import type { AnswerChat } from '../agents/agent-call.ts'
import { createCountTokens, type CountTokens } from '../chat/token-counts/count-tokens.ts'
import { createAnswerChat } from '../agents/answer-chat.ts'
import { AgentLibrary } from '../agents/library.ts'
import { TimeSlices } from '../agents/time-slices.ts'
import type { AnswerMemory } from './answer-memory.ts'
import { Budgets } from '../chat/admission/budgets.ts'
import { Burst } from '../chat/admission/burst.ts'
import { responseCache } from '../chat/kept-answers/cached-chat.ts'
import type { ChatAddition, ChatCall, CompleteChat } from '../chat/chat-call.ts'
import type { ChatDependencies } from '../chat/chat-dependencies.ts'
import { createCompleteChat } from '../chat/complete-chat.ts'
import { createEmbeddings } from '../chat/embeddings/create-embeddings.ts'
import type { CreateEmbeddings, PreviewEmbeddings } from '../chat/embeddings/embeddings-call.ts'
import { previewEmbeddings } from '../chat/embeddings/preview-embeddings.ts'
import { shadowAnswers } from '../chat/learning/shadow-answers.ts'
import { contentLog } from '../chat/kept-answers/content-log.ts'
import { ConversationMemory } from '../chat/learning/conversation-memory.ts'
import { AgentMemory } from '../chat/sessions/agent-memory.ts'
import { splitCall } from '../chat/sessions/session-split.ts'
import { routedSubagent } from '../chat/sessions/subagent-router.ts'
import { ReasoningMemory } from '../chat/kept-answers/reasoning-memory.ts'
import { Hedging } from '../chat/attempts/hedge.ts'
import { Limits } from '../chat/admission/limits.ts'
import { PromptShares } from '../chat/learning/prompt-shares.ts'
import { LossAccounts } from '../chat/admission/loss-accounts.ts'
import { Pacing } from '../chat/admission/pacing.ts'
import type { Quota } from '../chat/admission/quota.ts'
import { pauseRefusal } from '../chat/admission/paused-router.ts'
import { outageRefusal, storedOrWithheld } from '../chat/admission/storage-guard.ts'
import {
  previewChat as previewOf,
  type PreviewChat,
  type PreviewDependencies,
} from '../chat/preview.ts'
import { createTimeLimits } from '../chat/attempts/router-time-limits.ts'
import type { Metrics } from '../http/metrics/metrics.ts'
import type { ExecutionLeases } from './execution-leases.ts'
import { ProviderFailures } from '../upstreams/provider-failures.ts'
import { createIds } from '../ids.ts'
import type { RunningAnswerChecks } from './findings.ts'
import type { Learning } from './learning.ts'
import { createShadowSampler, createStepSampler } from './shadow-sampling.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import { shareBurst, shareConversations } from './shared-state.ts'
import type { ShadowSampler } from '../tuning/shadow/shadow-sampler.ts'
import type { RequestTelemetry } from './telemetry.ts'
import type { Workspace } from './workspace.ts'

export interface RequestPathParts {
  quota: Quota
  memory: Pick<AnswerMemory, 'cache' | 'recordings'>
  metrics: Pick<Metrics, 'add' | 'rowSettled'>
  learning: Learning
  executionLeases: Pick<ExecutionLeases, 'begin'>
  timeLimits: Partial<TimeLimits>
  shared: SharedState
  /** Absent from commands, whose process checks neither answers nor rows. */
  answers?: Pick<RunningAnswerChecks, 'checks' | 'rows'> | undefined
  /** Commands of the command line have none. */
  telemetry?: Pick<RequestTelemetry, 'add'> | undefined
}

export interface RequestPath {
  completeChat: CompleteChat
  /** The same for callers that may name an agent. */
  answerChat: AnswerChat
  /** The decision for a request, without sending it. */
  previewChat: PreviewChat
  countTokens: CountTokens
  embeddings: CreateEmbeddings
  previewEmbeddings: PreviewEmbeddings
  /** Closed before the parts that its requests need. */
  shadowSampling: Pick<ShadowSampler, 'close'>
  /** The same with agents other than the stored ones, such as an agent that is being edited. */
  answerWith(library: AgentLibrary): AnswerChat
}

export function createRequestPath(workspace: Workspace, parts: RequestPathParts): RequestPath {
  const { memory } = parts
  const dependencies = createDependencies(workspace, parts)
  const uncached = createCompleteChat(dependencies)
  const { learning } = parts
  const shadowSampling = createShadowSampler(workspace, { completeChat: uncached, learning })
  const stepSampling = createStepSampler(workspace, uncached)
  dependencies.agents.onStep = (step) => stepSampling.answered(step)
  const { configuration, storage, log, now, clock } = workspace
  const additions = [
    shadowAnswers(shadowSampling),
    responseCache({ ...memory, dependencies }),
    contentLog({ keep: keepContents(workspace), now }),
  ]
  const routers = () => configuration.current().routers
  const completeChat = withAdditions(uncached, additions, {
    refusalOf: dependencies.refusalOf,
    routed: (call) => routedSubagent(splitCall(call), routers),
  })
  const agents = {
    completeChat,
    executions: {
      begin: (execution: Execution) => parts.executionLeases.begin(execution),
      end: (execution: Execution) => storage.executions.end(execution),
    },
    configuration: () => configuration.current(),
    modelsOf: workspace.modelsOf,
    limits: dependencies.limits,
    slices: new TimeSlices(clock),
    newId: createIds(now),
    onBug: (error: unknown) => log.failed('agents', error),
    now,
    clock,
    refusalOf: dependencies.refusalOf,
  }
  const answerWith = (library: AgentLibrary) => createAnswerChat({ ...agents, library })
  const stored = new AgentLibrary(() => configuration.current())
  const previewChat: PreviewChat = (call) =>
    previewOf(routedSubagent(splitCall(call), routers), dependencies)
  const countTokens = createCountTokens(dependencies)
  const answerChat = answerWith(stored)
  return {
    completeChat,
    answerChat,
    previewChat,
    countTokens,
    embeddings: createEmbeddings(dependencies),
    previewEmbeddings: (call) => previewEmbeddings(call, dependencies),
    answerWith,
    shadowSampling: {
      close: async () => void (await Promise.all([shadowSampling.close(), stepSampling.close()])),
    },
  }
}

interface Routing extends Pick<ChatDependencies, 'refusalOf'> {
  /** The call with the router that answers it. */
  routed(call: ChatCall): ChatCall
}

/** Adds steps to the path. Each takes part only in the requests it applies to; the last one is called first. */
function withAdditions(
  completeChat: CompleteChat,
  additions: readonly ChatAddition[],
  { refusalOf, routed }: Routing,
): CompleteChat {
  return {
    // Not async, so that most requests go on in the same turn.
    admit(arrived) {
      const call = routed(arrived)
      const refused = refusalOf(call.router)
      if (refused !== null) return Promise.reject(refused)
      let path = completeChat
      for (const addition of additions) {
        if (addition.appliesTo(call)) path = added(addition, path)
      }
      return path.admit(call)
    },
  }
}

function added(addition: ChatAddition, completeChat: CompleteChat): CompleteChat {
  return { admit: (call) => addition.admit(call, completeChat) }
}

function keepContents({ storage, log }: Workspace): (content: RequestContent) => void {
  return (content) => {
    storage.contents.save(content).catch((error: unknown) => log.failed('contents', error))
  }
}

function loggingFailures(workspace: Workspace): ChatDependencies['onProviderFailure'] {
  const failures = new ProviderFailures(workspace)
  return (providerId, error) => {
    // The other kinds are the provider's failures; this one is the request's.
    if (error.kind !== 'request') failures.add(providerId, error)
    workspace.upstreams.failed(providerId, error)
  }
}

function createBudgets({ storage, configuration, events, now }: Workspace): Budgets {
  return new Budgets({
    store: storage.budgets,
    budgetOfKey(id) {
      const { apiKeys, keyRotations } = configuration.current()
      const budget = apiKeys.get(id)
      return budget === undefined ? null : { budget, keyIds: keyRotations.get(id) ?? [id] }
    },
    onRefused: (refusal) => events.emit('budget:refused', refusal),
    now,
  })
}

function createDependencies(
  workspace: Workspace,
  {
    quota,
    metrics,
    timeLimits,
    shared,
    telemetry,
    answers,
    learning: { statistics, signals, ownKinds, proofAuthors },
  }: RequestPathParts,
): ChatDependencies & PreviewDependencies {
  const { upstreams, deployments, log } = workspace
  const timeLimitsOf = createTimeLimits(timeLimits)
  const burst = new Burst(workspace.clock)
  shareBurst(burst, shared)
  const conversationMemory = new ConversationMemory(workspace.clock)
  const budgets = createBudgets(workspace)
  const lossAccounts = new LossAccounts(workspace.storage.ledger)
  const pacing = new Pacing({
    paceOf: (router) => budgets.paceOf(router),
    accountOf: (router) => lossAccounts.accountOf(router),
  })
  return {
    refusalOf: (router) => outageRefusal(workspace.storage.health) ?? pauseRefusal(router),
    candidatesOf: workspace.candidatesOf,
    providerOf: ({ providerId }) => upstreams.open(providerId),
    outageOf: ({ providerId }) => upstreams.outage(providerId),
    formOf: ({ providerId }) => upstreams.form(providerId),
    timeLimitsOf: ({ providerId }, router) => timeLimitsOf(router, upstreams.isLocal(providerId)),
    loadOf: ({ providerId }) => upstreams.loadOf(providerId),
    knowledgeOf: (candidate, query) => statistics.knowledgeOf(candidate, query),
    ownKinds,
    statistics,
    answerChecks: answers?.checks ?? null,
    promptShares: new PromptShares(),
    signals,
    spendingOf: (...request) => pacing.spendingOf(...request),
    nextSpendingOf: (...request) => pacing.nextSpendingOf(...request),
    lossAccounts,
    deployments,
    conversationMemory,
    agents: new AgentMemory(workspace.clock),
    recallConversation: shareConversations(conversationMemory, shared, workspace),
    pinOf: pinsOf(workspace),
    isPromptCachingOn: () => workspace.configuration.current().settings.promptCaching,
    reasoningMemory: new ReasoningMemory(workspace.clock, proofAuthors),
    hedging: new Hedging(workspace.clock),
    quota,
    limits: new Limits({ burst, budgets, quota }),
    record: recordWith(workspace, { budgets, metrics, telemetry, answers }),
    onProviderFailure: loggingFailures(workspace),
    onProviderSuccess: (providerId, latencyMs) => upstreams.succeeded(providerId, latencyMs),
    onBug: (error) => log.failed('chat', error),
    now: workspace.now,
    clock: workspace.clock,
  }
}

/** A pin stays when the session's key is replaced. */
function pinsOf({ configuration }: Pick<Workspace, 'configuration'>): ChatDependencies['pinOf'] {
  return ({ sessionId, apiKeyId }) => {
    const { sessionPins, keyRotations } = configuration.current()
    if (sessionPins.size === 0) return null
    const keys = keyRotations.get(apiKeyId ?? '') ?? [apiKeyId]
    const pins = keys.map((key) => sessionPins.get(nameOfSession({ sessionId, apiKeyId: key })))
    return pins.findLast((pin) => pin !== undefined) ?? null
  }
}

/** The log has no names of files and no texts. */
function tellBrokenCache(
  { log, events }: Pick<Workspace, 'log' | 'events'>,
  row: RequestRecord,
): void {
  if (!raisesAlarm(row)) return
  const { client = '', model = null, culprit = '', place } = brokenCacheOf(row) ?? {}
  const where = JSON.stringify(place ?? null)
  log.noted('a cache broke', { request: row.id, client, model: model ?? '', culprit, where })
  events.emit('changed', { what: 'broken-caches' })
}

function recordWith(
  { storage, configuration, events, log }: Workspace,
  parts: Pick<RequestPathParts, 'metrics' | 'telemetry' | 'answers'> & { budgets: Budgets },
): ChatDependencies['record'] {
  const { budgets, metrics, telemetry, answers } = parts
  return (row, detail, { traceparent = null }) => {
    budgets.settle(row)
    metrics.add(row, detail)
    telemetry?.add({ record: row, detail, traceparent })
    const isStrict = configuration.current().settings.durability === 'strict'
    const appended = storage.ledger.append(row, detail, isStrict)
    const onStored = () => {
      metrics.rowSettled()
      answers?.rows.note(row.id)
      tellBrokenCache({ log, events }, row)
    }
    appended.then(onStored, (error: unknown) => {
      metrics.rowSettled()
      // With strict durability, the answer was withheld.
      if (!isStrict) answers?.rows.note(row.id)
      log.failed('ledger', error)
    })
    events.emit('request:finished', row)
    return isStrict ? storedOrWithheld(appended, storage.health) : null
  }
}
