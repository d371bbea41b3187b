/** Sample entities for storage tests. Each function accepts the fields that a test depends on. */
import type { SessionStep } from '../../src/shared/requests/session-step.ts'
import type { RequestRecord, Router } from '../../src/shared/entities.ts'
import type { RequestDetail } from '../../src/shared/requests/detail.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { sampleEstimate, sampleParameters } from '../routing/sample-candidates.ts'
import type { StoredApiKey, StoredProvider } from '../../src/service/storage/storage.ts'

export function sampleProvider(over: Partial<StoredProvider> = {}): StoredProvider {
  return {
    id: 'openai',
    type: 'openai',
    baseUrl: null,
    privateNetwork: false,
    options: {},
    createdAtMs: 1,
    keyRevision: 0,
    ...over,
  }
}

export function sampleRouter(over: Partial<Router> = {}): Router {
  return {
    id: 'router_0000000000000001',
    name: 'Cheap',
    strategy: 'cost_optimized',
    models: ['openai:gpt-5', 'local:smollm2-135m-instruct'],
    tier: 'pro',
    dailyLimit: null,
    cacheTtlSeconds: null,
    timeLimits: {},
    hedge: null,
    routing: routingSettingsSchema.parse({}),
    requestsPerMinute: null,
    budgetUsdPerDay: null,
    budgetUsdPerMonth: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    ...over,
  }
}

export function sampleApiKey(over: Partial<StoredApiKey> = {}): StoredApiKey {
  return {
    id: 'key-1',
    sha256: 'a'.repeat(64),
    hint: 'mp_…abcd',
    name: 'Laptop',
    environment: 'dev',
    routers: 'all',
    expiresAtMs: null,
    acceptAnyModel: false,
    metrics: false,
    explain: false,
    keepAlive: true,
    tag: null,
    budgetUsdPerDay: null,
    budgetUsdPerMonth: null,
    createdAtMs: 1,
    lastUsedAtMs: null,
    revokedAtMs: null,
    rotatedFromId: null,
    ...over,
  }
}

export function sampleRecord(over: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id: 'request-1',
    routerId: 'router_a',
    apiKeyId: 'key-1',
    source: 'api',
    startedAtMs: 1_000,
    status: 200,
    errorCode: null,
    modelUsed: 'openai:gpt-5',
    routerDecision: 'cost_optimized',
    isStreamed: false,
    attempts: 1,
    reportedPromptTokens: 10,
    reportedCompletionTokens: 20,
    estimatedPromptTokens: null,
    estimatedCompletionTokens: null,
    costNanoUsd: 1_500,
    latencyMs: 120.5,
    firstTokenMs: null,
    carbonGrams: 0.25,
    cachedFrom: null,
    executionId: null,
    stepId: null,
    sessionId: null,
    agentId: null,
    sessionStep: null,
    fallbackFrom: null,
    fallbackReason: null,
    tag: null,
    ...over,
  }
}

export function sampleStep(over: Partial<SessionStep> = {}): SessionStep {
  return {
    client: 'claude-code',
    version: '2.1.330',
    kind: 'main',
    parent: null,
    agentType: null,
    startsTurn: false,
    class: 'explore',
    tools: ['Read'],
    marks: [],
    why: 'only',
    effort: null,
    tokens: { read: 900, written: 100, uncached: 10, output: 20 },
    costs: { read: 180, written: 500, uncached: 40, output: 400 },
    ...over,
  }
}

/** A request that is a step of a session, whose cost is the sum of the step's parts. */
export function sampleSessionRequest(
  step: Partial<SessionStep> = {},
  over: Partial<RequestRecord> = {},
): RequestRecord {
  const whole = sampleStep(step)
  const { read, written, uncached, output } = whole.costs
  const costNanoUsd = read + written + uncached + output
  const sessionStep = JSON.stringify(whole)
  return sampleRecord({ sessionId: 'session-1', sessionStep, costNanoUsd, ...over })
}

export function sampleDetail(over: Partial<RequestDetail> = {}): RequestDetail {
  return {
    client: 'OpenAI/JS 7.55.0',
    tokenSource: 'reported',
    tokens: { input: 10, cacheRead: null, cacheWrite: null, output: 20, reasoning: null },
    price: {
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      cacheReadUsdPerMtok: null,
      cacheWriteUsdPerMtok: null,
      source: 'user',
      asOf: null,
    },
    carbon: { lowGrams: 0.1, highGrams: 0.4, method: 'unknown' },
    signals: [],
    attempts: [
      {
        model: 'openai:gpt-5',
        startedMs: 0,
        tookMs: 12,
        outcome: 'answered',
        status: null,
        message: null,
      },
    ],
    decision: {
      strategy: 'cost_optimized',
      promptTokens: 12,
      maxOutputTokens: null,
      isStreamed: false,
      needs: [],
      parameters: sampleParameters,
      reading: {
        domains: [['code', 0.9]],
        topics: [['code_editing', 0.9]],
        confidence: 0.8,
        difficulty: -1,
        difficultyReasons: [],
      },
      ranked: [{ model: 'openai:gpt-5', position: 0, reason: null, estimate: sampleEstimate() }],
      excluded: [],
      kept: null,
      drawnWith: null,
      adjusted: [],
    },
    ...over,
  }
}
