/**
 * How generations of Google's models differ in the requests they take. The API answers a 400 where a request does
 * not fit. Compared on 2026-11-22 with ai.google.dev/gemini-api/docs: /thinking, /thought-signatures,
 * /function-calling, and with answers of the API to the levels that a model refuses.
 */
import type { LeftOut } from '../../left-out.ts'
import type { GeminiThinkingConfig } from './rest.ts'

export type ThinkingLevel = NonNullable<GeminiThinkingConfig['thinkingLevel']>

/** How the Gemini API and Vertex AI differ. */
export interface Dialect {
  /** Vertex AI refuses ids of function calls. */
  hasCallIds: boolean
}

export interface TranslationContext {
  traits: ModelTraits
  dialect: Dialect
  leftOut: LeftOut
}

export interface ModelTraits {
  /** How a request says how much the model thinks; null when the model takes no `thinkingConfig`. */
  thinking: LevelThinking | BudgetThinking | null
  /** Requires a thought signature on the first function call of a step. */
  needsSignatures: boolean
  /** Takes images and documents inside a function's response. */
  nestsMedia: boolean
}

interface LevelThinking {
  kind: 'level'
  least: ThinkingLevel
  hasMedium: boolean
}

interface BudgetThinking {
  kind: 'budget'
  leastTokens: number
  mostTokens: number
  canTurnOff: boolean
  /** Whether it thinks when the request does not say so. */
  thinksByDefault: boolean
}

const older: ModelTraits = { thinking: null, needsSignatures: false, nestsMedia: false }
const budget = { kind: 'budget', mostTokens: 24_576, canTurnOff: true } as const
const flash: BudgetThinking = { ...budget, leastTokens: 1, thinksByDefault: true }
const flashLite: BudgetThinking = { ...budget, leastTokens: 512, thinksByDefault: false }
const pro: BudgetThinking = {
  kind: 'budget',
  leastTokens: 128,
  mostTokens: 32_768,
  canTurnOff: false,
  thinksByDefault: true,
}

/** Models for pictures, speech and devices take no `thinkingConfig`. */
const special = /image|tts|live|audio|embedding|robotics|computer-use/
/** The first Flash models that refuse the level `MINIMAL`. */
const flashWithoutMinimal = 3.7

/** @param model  another maker's model, such as Gemma, gets the oldest form */
export function traitsOf(model: string): ModelTraits {
  const version = versionOf(model)
  if (version === null) return older
  const isNew = version >= 3
  const thinking = special.test(model) ? null : thinkingOf(model, version)
  return { thinking, needsSignatures: isNew, nestsMedia: isNew }
}

/** Version of a Gemini; the newest one for a name such as `gemini-flash-latest`. @returns null for another model */
function versionOf(model: string): number | null {
  if (/gemini-(flash|pro)(-lite)?-latest/.test(model)) return Infinity
  const [, version] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? []
  return version === undefined ? null : Number(version)
}

function thinkingOf(model: string, version: number): ModelTraits['thinking'] {
  const isLite = model.includes('flash-lite')
  const isPro = model.includes('pro')
  if (version >= 3) {
    const takesMinimal = isLite || (!isPro && version < flashWithoutMinimal)
    const hasMedium = !/gemini-3-pro/.test(model)
    return { kind: 'level', least: takesMinimal ? 'MINIMAL' : 'LOW', hasMedium }
  }
  if (version < 2.5) return null
  if (isPro) return pro
  return isLite ? flashLite : flash
}
