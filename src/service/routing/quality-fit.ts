/**
 * Learns from prompts whose answers were judged how much better or worse models do than their ratings say.
 *
 * The logit of the expected quality becomes `start + features · (common + own part of the model)`. The common
 * part says how strict the judge and how hard the prompts are. It changes no order of models, but tolerances
 * need qualities at the right height. It is fitted first, on the mean over the models of each prompt. The
 * models' parts follow. Each is one Newton step of a ridge regression: more steps gain nothing (measured).
 *
 * The ridge of a part is given in judged answers: a strength of 100 weighs as much as 100 of them. Below a
 * hundred prompts the parts of the models are held back further, because otherwise a few prompts make
 * choices worse on average than the ratings alone.
 */
import { sigmoid } from '../../shared/quality-scale.ts'
import type { JudgedAnswer, JudgedPrompt } from '../../shared/tuning.ts'
import { byFeature, fitFeatureCount, writeFitFeatures, type FitParts } from './fit-features.ts'
import { addProducts, factorised, solveFactored, type CholeskyFactor } from './solve-symmetric.ts'

export interface FitPrompt extends Pick<JudgedPrompt, 'topics' | 'difficulty' | 'errorRate'> {
  /** How much it counts by its age, 0 to 1. */
  weight: number
  answers: readonly Pick<JudgedAnswer, 'modelId' | 'startLogit' | 'grade'>[]
}

export interface ModelFit {
  /** Common and own part together, one coefficient for each feature. */
  coefficients: readonly number[]
  /** Judged answers, faded by age. */
  judged: number
}

export interface QualityFit {
  /** For models without a judged answer. Null when no answer was judged. */
  common: readonly number[] | null
  models: ReadonlyMap<string, ModelFit>
  /** Precision of each model's coefficients and of the common ones, for intervals. */
  precision: { common: CholeskyFactor | null; models: ReadonlyMap<string, CholeskyFactor> }
}

const strengths: FitParts = { constant: 100, domain: 25, topic: 25, difficulty: 400 }
const unratedConstant = 10
const commonStrengths: FitParts = { constant: 2, domain: 5, topic: 5, difficulty: 5 }
/** p · (1 - p) of a typical answer: what one judged answer adds to the precision of a logit. */
const informationOfAnswer = 0.2
/** From so many judged answers on, the strengths apply as they are. */
const enoughAnswers = 100
/** Grades that are wrong more often say too little to be corrected. */
const greatestErrorRate = 0.4

/** @param isRated  whether public ratings place the model; otherwise its own level is learned faster */
export function fitQuality(
  prompts: readonly FitPrompt[],
  isRated: (modelId: string) => boolean,
): QualityFit {
  const graded = gradedAnswers(prompts)
  if (graded.size === 0) {
    return { common: null, models: new Map(), precision: { common: null, models: new Map() } }
  }
  const features = featuresOf(prompts)
  const together = fitCommon(features, prompts.length, graded)
  const fits = [...graded].map(([modelId, answers]) => {
    const judged = answers.reduce((sum, { prompt }) => sum + (prompts[prompt]?.weight ?? 0), 0)
    const step = fitOwn(features, answers, {
      common: together.step,
      ridge: ridgeOf(isRated(modelId), judged),
    })
    return { modelId, judged, ...step }
  })
  return {
    common: [...together.step],
    models: new Map(
      fits.map(({ modelId, judged, step }) => [
        modelId,
        { coefficients: [...together.step].map((value, at) => value + (step[at] ?? 0)), judged },
      ]),
    ),
    precision: {
      common: together.factor,
      models: new Map(fits.map(({ modelId, factor }) => [modelId, factor])),
    },
  }
}

/**
 * The grade that an error-free grader would have given on average. It can lie outside 0 to 1.
 * @param errorRate  the share of wrong grades
 */
export function correctedGrade(grade: number, errorRate: number): number {
  const rate = Math.min(errorRate, greatestErrorRate)
  return (grade - rate) / (1 - 2 * rate)
}

/** How much a grade counts against one of an error-free grader. */
export function gradeWeight(errorRate: number): number {
  return (1 - 2 * Math.min(errorRate, greatestErrorRate)) ** 2
}

interface GradedAnswer {
  /** Index of its prompt. */
  prompt: number
  startLogit: number
  grade: number
  weight: number
}

function gradedAnswers(prompts: readonly FitPrompt[]): Map<string, GradedAnswer[]> {
  const graded = new Map<string, GradedAnswer[]>()
  for (const [prompt, { weight, errorRate, answers }] of prompts.entries()) {
    for (const { modelId, startLogit, grade } of answers) {
      if (grade === null) continue
      const ofModel = graded.get(modelId) ?? []
      graded.set(modelId, ofModel)
      ofModel.push({
        prompt,
        startLogit,
        grade: correctedGrade(grade, errorRate),
        weight: weight * gradeWeight(errorRate),
      })
    }
  }
  return graded
}

function featuresOf(prompts: readonly FitPrompt[]): Float64Array {
  const features = new Float64Array(prompts.length * fitFeatureCount)
  for (const [index, prompt] of prompts.entries()) {
    writeFitFeatures(prompt, features, index * fitFeatureCount)
  }
  return features
}

/** On the mean over the models that answered a prompt, which may be others for each prompt. */
function fitCommon(
  features: Float64Array,
  promptCount: number,
  graded: ReadonlyMap<string, readonly GradedAnswer[]>,
): NewtonStep {
  const counts = new Float64Array(promptCount)
  const information = new Float64Array(promptCount)
  const residuals = new Float64Array(promptCount)
  for (const answers of graded.values()) {
    for (const { prompt, startLogit, grade, weight } of answers) {
      const expected = sigmoid(startLogit)
      counts[prompt] = (counts[prompt] ?? 0) + 1
      information[prompt] = (information[prompt] ?? 0) + weight * expected * (1 - expected)
      residuals[prompt] = (residuals[prompt] ?? 0) + weight * (grade - expected)
    }
  }
  const system = new NormalEquations(byFeature(commonStrengths))
  for (const [prompt, count] of counts.entries()) {
    if (count === 0) continue
    const start = prompt * fitFeatureCount
    const ofOne = (sums: Float64Array) => (sums[prompt] ?? 0) / count
    system.add(features.subarray(start, start + fitFeatureCount), {
      information: ofOne(information),
      residual: ofOne(residuals),
    })
  }
  return system.solve()
}

function fitOwn(
  features: Float64Array,
  answers: readonly GradedAnswer[],
  { common, ridge }: { common: Float64Array; ridge: readonly number[] },
): NewtonStep {
  const system = new NormalEquations(ridge)
  for (const { prompt, startLogit, grade, weight } of answers) {
    const start = prompt * fitFeatureCount
    const ofPrompt = features.subarray(start, start + fitFeatureCount)
    const expected = sigmoid(startLogit + dot(ofPrompt, common))
    system.add(ofPrompt, {
      information: weight * expected * (1 - expected),
      residual: weight * (grade - expected),
    })
  }
  return system.solve()
}

function ridgeOf(isRated: boolean, judged: number): number[] {
  const heldBack = Math.max(1, enoughAnswers / Math.max(1, judged))
  return byFeature({
    constant: isRated ? strengths.constant * heldBack : unratedConstant,
    domain: strengths.domain * heldBack,
    topic: strengths.topic * heldBack,
    difficulty: strengths.difficulty * heldBack,
  })
}

interface NewtonStep {
  step: Float64Array
  /** Of the precision matrix: data and ridge. */
  factor: CholeskyFactor
}

/** Sums of one Newton step of a ridge regression. */
class NormalEquations {
  readonly #matrix = new Float64Array(fitFeatureCount * fitFeatureCount)
  readonly #right = new Float64Array(fitFeatureCount)

  /** @param strengthsByFeature  in judged answers */
  constructor(strengthsByFeature: readonly number[]) {
    for (const [at, strength] of strengthsByFeature.entries()) {
      this.#matrix[at * (fitFeatureCount + 1)] = informationOfAnswer * strength
    }
  }

  add(features: Float64Array, answer: { information: number; residual: number }): void {
    const { information, residual } = answer
    addProducts(this.#matrix, features, information)
    for (let row = 0; row < fitFeatureCount; row += 1) {
      this.#right[row] = (this.#right[row] ?? 0) + residual * (features[row] ?? 0)
    }
  }

  solve(): NewtonStep {
    const factor = factorised(this.#matrix, fitFeatureCount)
    return { step: solveFactored(factor, this.#right), factor }
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
