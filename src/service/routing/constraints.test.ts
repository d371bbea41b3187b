/** Tests which models are excluded from a decision, and which of several reasons is reported. */
import { describe, expect, test } from 'vitest'
import type { Estimate } from '../../shared/requests/detail.ts'
import type { Candidate, RoutingContext, RoutingPolicy } from './candidate.ts'
import { whyExcluded } from './constraints.ts'
import {
  candidate,
  sampleContext,
  sampleEstimate,
  samplePolicy,
} from '../../../test/routing/sample-candidates.ts'

interface Case {
  of?: Partial<Candidate>
  estimate?: Partial<Estimate>
  request?: Partial<RoutingContext>
  router?: Partial<RoutingPolicy>
}

function excluded({ of, estimate, request, router }: Case) {
  const one = candidate(of)
  const { modelId: model, position } = one
  return whyExcluded(
    { model, position, candidate: one, estimate: sampleEstimate(estimate) },
    sampleContext(request),
    samplePolicy(router),
  )
}

describe('constraints', () => {
  test.each<[string, Case, { code: string; reason: string }]>([
    [
      'at a provider that the router does not allow',
      { router: { providers: ['openai', 'groq'] } },
      { code: 'provider_excluded', reason: 'is at p; the router allows only openai, groq' },
    ],
    [
      'that runs in another region',
      { of: { region: 'USA' }, router: { regions: ['FRA'] } },
      { code: 'region_excluded', reason: 'runs in USA; the router allows only FRA' },
    ],
    [
      'with an unknown region',
      { of: { region: null }, router: { regions: ['FRA'] } },
      { code: 'region_excluded', reason: 'runs in an unknown region; the router allows only FRA' },
    ],
    [
      'that does not run on this computer',
      { router: { localOnly: true } },
      {
        code: 'not_local',
        reason: 'does not run on this computer; the router allows only local models',
      },
    ],
    [
      'without support for tools',
      { of: { capabilities: ['json'] }, request: { needs: ['json', 'tools'] } },
      { code: 'lacks_capability', reason: 'does not support tools' },
    ],
    [
      'that lacks several capabilities',
      {
        of: { capabilities: ['json'] },
        request: { needs: ['tools', 'n', 'logprobs', 'seed', 'files', 'audio'] },
      },
      {
        code: 'lacks_capability',
        reason:
          'does not support tools, several answers at once (n), logprobs, a seed, files, audio',
      },
    ],
    [
      'that supports JSON but no schema',
      { of: { capabilities: ['json_object'] }, request: { needs: ['json'] } },
      { code: 'lacks_capability', reason: 'does not support a JSON schema' },
    ],
    [
      'without a capability that the router requires',
      { router: { requires: ['vision'] } },
      { code: 'lacks_capability', reason: 'does not support images, which the router requires' },
    ],
    [
      'whose context does not fit the prompt even if it has few tokens',
      { of: { contextTokens: 449, maxOutputTokens: null } },
      {
        code: 'context_too_small',
        reason: 'has a context of 449 tokens; the messages take at least 450',
      },
    ],
    [
      'whose context does not fit the least that it counted of other prompts',
      { of: { contextTokens: 599 }, request: { leastShares: new Map([['p:model', 0.6]]) } },
      {
        code: 'context_too_small',
        reason: 'has a context of 599 tokens; the messages take at least 600',
      },
    ],
    [
      'whose context fits the prompt but not the requested answer',
      { of: { contextTokens: 2_449 }, request: { maxOutputTokens: 2_000 } },
      {
        code: 'context_too_small',
        reason:
          'has a context of 2449 tokens; the messages take at least 450 and the answer may take 2000',
      },
    ],
    [
      'whose answers are shorter than requested',
      { of: { maxOutputTokens: 100 }, request: { maxOutputTokens: 101 } },
      {
        code: 'output_too_small',
        reason: 'answers with at most 100 tokens; the request asks for 101',
      },
    ],
    [
      'whose long answer costs more than the router allows',
      { estimate: { costP90NanoUsd: 20_000_001 }, router: { maxCostUsdPerRequest: 0.02 } },
      {
        code: 'over_cost_cap',
        reason: 'may cost $0.0200; the router allows $0.02 for one request',
      },
    ],
  ])('exclude a model %s', (_who, given, expected) => {
    expect(excluded(given)).toEqual(expected)
  })

  test.each<[string, Case]>([
    ['is at an allowed provider', { router: { providers: ['p'] } }],
    ['runs in an allowed region', { of: { region: 'FRA' }, router: { regions: ['DEU', 'FRA'] } }],
    ['is on this computer', { of: { isLocal: true }, router: { localOnly: true } }],
    [
      'has all needed capabilities',
      { of: { capabilities: ['tools', 'json'] }, request: { needs: ['tools'] } },
    ],
    [
      'supports JSON with a schema, when the request has none',
      { of: { capabilities: ['json'] }, request: { needs: ['json_object'] } },
    ],
    ['may fit the prompt', { of: { contextTokens: 450 } }],
    [
      'fits the prompt and the requested answer',
      { of: { contextTokens: 2_450 }, request: { maxOutputTokens: 2_000 } },
    ],
    [
      'fits the prompt, when its answer may be shorter',
      { of: { contextTokens: 450 }, request: { maxOutputTokens: 2_000, takesShorter: true } },
    ],
    [
      'can write as much as requested',
      { of: { maxOutputTokens: 100 }, request: { maxOutputTokens: 100 } },
    ],
    [
      'has unknown limits',
      { of: { contextTokens: null, maxOutputTokens: null }, request: { maxOutputTokens: 1e6 } },
    ],
    [
      'costs what the router allows',
      { estimate: { costP90NanoUsd: 20_000_000 }, router: { maxCostUsdPerRequest: 0.02 } },
    ],
  ])('do not exclude a model that %s', (_who, given) => {
    expect(excluded(given)).toBeNull()
  })
})

test('reports the first of several reasons, in the order: policy, capability, size, cost', () => {
  const all: Case = {
    of: { contextTokens: 10, maxOutputTokens: 1 },
    request: { needs: ['tools'], maxOutputTokens: 100 },
    router: { providers: ['q'], regions: ['FRA'], localOnly: true, maxCostUsdPerRequest: 1e-9 },
  }
  const told = []
  const mended: Case[] = [
    {},
    { router: { ...all.router, providers: null } },
    { router: { ...all.router, providers: null, regions: null } },
    { router: { maxCostUsdPerRequest: 1e-9 } },
    { router: { maxCostUsdPerRequest: 1e-9 }, request: { maxOutputTokens: 100 } },
    {
      router: { maxCostUsdPerRequest: 1e-9 },
      request: { maxOutputTokens: 100 },
      of: { maxOutputTokens: 1 },
    },
    { router: { maxCostUsdPerRequest: 1e-9 }, request: {}, of: {} },
  ]
  for (const less of mended) told.push(excluded({ ...all, ...less })?.code)

  expect(told).toEqual([
    'provider_excluded',
    'region_excluded',
    'not_local',
    'lacks_capability',
    'context_too_small',
    'output_too_small',
    'over_cost_cap',
  ])
})
