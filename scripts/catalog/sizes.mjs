/**
 * Parameter counts and speed of models. If the maker does not publish a size, it is a range estimated from price and
 * speed (EcoLogits). Without an estimate it is null, and the energy estimate assumes 8 to 500 billion.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** @type {{ source: string, asOf: string, models: Record<string, { activeBillions: number[], totalBillions: number[], speed: { tokensPerSecond: number, firstTokenSeconds: number } | null }> }} */
const ecologits = JSON.parse(
  await readFile(path.join(import.meta.dirname, 'ecologits.json'), 'utf8'),
)

/** Active and total parameters in billions, as the benchmark ran the models. */
const mlEnergy = {
  source: 'ML.ENERGY Leaderboard v3, lm-arena-chat (Apache-2.0)',
  asOf: '2026-11-21',
  /** @type {Record<string, [active: number, total: number]>} */
  models: {
    'llama-3.3-70b': [70, 70],
    'llama-3.1-405b': [405, 405],
    'llama-3.1-70b': [70, 70],
    'llama-3.1-8b': [8, 8],
    'llama-4-maverick': [17, 400],
    'llama-4-scout': [17, 109],
    'qwen3-32b': [32, 32],
    'qwen3-235b-a22b': [22, 235],
    'gemma-3-27b': [27, 27],
  },
}

/** `…-550b-a55b`: 550 billion, 55 of them active. */
const sizeInName = /-(\d+)b-a(\d+)b$/
const denseInName = /-(\d+)b$/

/** @param {string} weights */
export function sizeOf(weights) {
  const known = ecologits.models[weights]
  if (known) {
    const { activeBillions, totalBillions } = known
    return { size: { activeBillions, totalBillions }, sizeSource: sourceOf(ecologits) }
  }
  const measured = mlEnergy.models[weights]
  if (measured) return sized(measured[0], measured[1], sourceOf(mlEnergy))
  const [, total, active] = sizeInName.exec(weights) ?? []
  const [, dense] = denseInName.exec(weights) ?? []
  const inName = { source: 'the model’s name', asOf: '2026-11-21' }
  if (total && active) return sized(Number(active), Number(total), inName)
  if (dense) return sized(Number(dense), Number(dense), inName)
  return { size: null, sizeSource: null }
}

/**
 * EcoLogits measured the speed over OpenRouter, so it holds for the maker's own service and not for other hosts.
 * @param {string} provider @param {string} weights
 */
export function speedOf(provider, weights) {
  const speed = ecologits.models[weights]?.speed
  if (!speed || !['openai', 'mistral', 'openrouter'].includes(provider)) {
    return { speed: null, speedSource: null }
  }
  const msPerToken = Math.round(100_000 / speed.tokensPerSecond) / 100
  return {
    speed: { firstTokenMs: Math.round(speed.firstTokenSeconds * 1000), msPerToken },
    speedSource: sourceOf(ecologits),
  }
}

/** @param {number} active @param {number} total @param {{ source: string, asOf: string }} sizeSource */
function sized(active, total, sizeSource) {
  return { size: { activeBillions: [active, active], totalBillions: [total, total] }, sizeSource }
}

/** @param {{ source: string, asOf: string }} table */
function sourceOf({ source, asOf }) {
  return { source, asOf }
}
