/** What the tests of generated bills share: forms, zones and amounts, and the sums of a comparison. */
import { expect } from 'vitest'
import type { CauseKind, Reconciliation } from '../../src/shared/requests/reconciliation.ts'
import { billForms, type BillForm } from './bill-files.ts'
import {
  makeRequests,
  wholeCost,
  type VendorModel,
  type VendorPlan,
  type VendorRequest,
} from './vendor-billing.ts'

const isFull = process.env['MODELPORT_RECONCILE_CHECK'] === '1'
const requestCount = isFull ? 10_000 : 2_000
const timeZones = isFull ? ['UTC', 'America/Los_Angeles', 'Asia/Kolkata'] : ['America/Los_Angeles']
export const timeoutMs = isFull ? 600_000 : 60_000

const names: Record<string, readonly string[]> = {
  openai: ['gpt-5.5', 'gpt-5.4-mini', 'gpt-4.1'],
  anthropic: ['claude-opus-4-8', 'claude-sonnet-4-5', 'claude-haiku-4-5'],
  openrouter: ['openai/gpt-4o', 'z-ai/glm-5.3-flash', 'anthropic/claude-opus-5'],
  google: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3.1-flash-lite'],
  mistral: ['large-3', 'medium-3', 'small-4'],
}

export function modelsOf(form: BillForm): VendorModel[] {
  const prices = [
    [5, 25],
    [2, 10],
    [0.8, 4],
  ] as const
  return (names[form.providerType] ?? []).map((name, index) => {
    const [input, output] = prices[index] ?? [1, 5]
    const writes = { write5m: input * 1.25, write1h: input * 2 }
    const listed = { input, cacheRead: input / 10, ...writes, output }
    return { name, billed: form.billed(name), prices: listed }
  })
}

export interface Case {
  form: BillForm
  timeZone: string
  seed: number
}

export const cases: Case[] = billForms.flatMap((form, place) =>
  timeZones.map((timeZone, zone) => ({ form, timeZone, seed: 1 + place * 10 + zone })),
)

/** The requests of a case, in which nothing is wrong but what is planted. */
export function make(
  { form, timeZone, seed }: Case,
  parts: Partial<VendorPlan> = {},
): VendorRequest[] {
  return makeRequests({
    seed,
    requests: requestCount,
    timeZone,
    models: modelsOf(form),
    hasWrites: form.hasWrites,
    hasHourlyWrites: form.hasHourlyWrites,
    changesPrice: false,
    foreignShare: 0,
    tierShares: {},
    ...parts,
  })
}

export function causeSum(result: Reconciliation, kind: CauseKind): number {
  const ofKind = result.lines.flatMap(({ causes }) => causes.filter((cause) => cause.kind === kind))
  return ofKind.reduce((usdSoFar, { usd }) => usdSoFar + usd, 0)
}

export function usdOf(all: readonly VendorRequest[]): number {
  return all.reduce((sum, request) => sum + wholeCost(request), 0) / 1e9
}

/** Every difference is the sum of its causes and the rest. */
export function expectSums(result: Reconciliation): void {
  for (const line of result.lines) {
    const causes = line.causes.reduce((usdSoFar, { usd }) => usdSoFar + usd, line.unexplainedUsd)
    expect(causes).toBeCloseTo(line.theirs.usd - line.ours.usd, 9)
  }
}

/** Forms whose amounts are whole cents. */
export function isRounded({ name }: BillForm): boolean {
  return name.includes('Console')
}
