/**
 * Sessions that are drawn after the statistics of TraceLab (arXiv 2606.30560): steps p50 15, p90 135; 7.8 steps a turn;
 * about 800 tokens appended by a step, more with a long tail; about 520 written. The cache keeps what Anthropic promises.
 */
import { ModelChance } from './chance.ts'
import type { RecordedSession, RecordedStep } from './recorded.ts'

const modelId = 'anthropic:claude-opus-5-5'
const lifetimeMs = 300_000
const firstPrompt = 22_000
const longestPrompt = 160_000
const afterCompaction = 30_000

export function generatedSessions(count: number): RecordedSession[] {
  const chance = new ModelChance(1)
  return Array.from({ length: count }, (_, nth) => session(`generated-${nth}`, chance))
}

function session(id: string, chance: ModelChance): RecordedSession {
  const length = Math.max(2, Math.round(chance.lognormal(Math.log(15), 1.7)))
  const steps: RecordedStep[] = []
  let promptTokens = Math.round(chance.lognormal(Math.log(firstPrompt), 0.3))
  let nowMs = 0
  for (let nth = 0; nth < Math.min(length, 1_100); nth += 1) {
    const before = steps.at(-1)
    const isNewTurn = nth > 0 && chance.next() < 1 / 7.8
    nowMs += isNewTurn
      ? chance.lognormal(Math.log(60_000), 1.5)
      : chance.lognormal(Math.log(2_000), 1)
    const isCompacted = promptTokens > longestPrompt
    if (isCompacted) promptTokens = afterCompaction
    const readTokens = before === undefined ? 0 : readFrom(before, nowMs, isCompacted)
    const outputTokens = Math.round(chance.lognormal(Math.log(300), 1))
    const startedMs = nowMs
    nowMs += 1_000 + outputTokens * 15
    const writtenTokens = promptTokens - readTokens
    const tokens = { promptTokens, outputTokens, readTokens, writtenTokens }
    const startsTurn = nth === 0 || isNewTurn
    steps.push({
      ...tokens,
      startedMs,
      endedMs: nowMs,
      startsTurn,
      modelId,
      class: null,
      tools: [],
    })
    promptTokens += outputTokens + Math.round(chance.lognormal(Math.log(800), 1.1))
  }
  return { id, steps }
}

/** After a compaction, the vendor still has tools and system prompt. */
function readFrom(before: RecordedStep, nowMs: number, isCompacted: boolean): number {
  if (nowMs - before.endedMs > lifetimeMs) return 0
  return isCompacted ? 20_000 : before.promptTokens
}
