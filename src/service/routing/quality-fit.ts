/**
 * Learns from prompts whose answers were judged how much better or worse models do than their ratings say.
 *
 * The logit of the expected quality becomes `start + features · (common + own part of the model)`. The common
 * part says how strict the judge and how hard the prompts are. It changes no order of models, but tolerances
 * need qualities at the right height. It is fitted first, on the mean over the models of each prompt, in two
 * Newton steps of a ridge regression, because a strict judge can be far from what was expected. The models' parts
 * follow in one step each. More steps gain nothing (measured).
 *
 * The ridge of a part is given in judged answers: a strength of 100 weighs as much as 100 of them. Below a
 * hundred prompts the parts of the models are held back further, because otherwise a few prompts make
 * choices worse on average than the ratings alone.
 */
import { sigmoid } from '../../shared/models/quality-scale.ts'
import type { JudgedAnswer, JudgedPrompt } from '../../shared/tuning/tuning.ts'
import { byFeature, fitFeatureCount, fitFeatures, type FitParts } from './fit-features.ts'
import type { ModelFit } from './candidate.ts'
import { judgedCovariance, type Evidence } from './quality-doubt.ts'
import { addProducts, factorised, solveFactored, type CholeskyFactor } from './solve-symmetric.ts'

export interface FitPrompt extends Pick<JudgedPrompt, 'topics' | 'difficulty' | 'errorRate'> {
  /** How much it counts by its age, 0 to 1. */
  weight: number
  answers: readonly Pick<JudgedAnswer, 'modelId' | 'startLogit' | 'grade'>[]
}

export interface QualityFit {
  /** Fit for models without a judged answer. Null when no answer was judged. */
  common: ModelFit | null
  models: ReadonlyMap<string, ModelFit>
}

const strengths: FitParts = { constant: 100, domain: 25, topic: 25, difficulty: 400 }
const unratedConstant = 10
const commonStrengths: FitParts = { constant: 2, domain: 5, topic: 5, difficulty: 5 }
/** p · (1 - p) of a typical answer: what one judged answer adds to the precision of a logit. */
const informationOfAnswer = 0.2
/** Number of judged answers from which the strengths apply as they are. */
const enoughAnswers = 100
const commonSteps = 2
const ownSteps = 1
/** Grades that are wrong more often say too little to be corrected. */
const greatestErrorRate = 0.4

/** @param isRated  whether public ratings place the model; otherwise its own level is learned faster */
export function fitQuality(
  prompts: readonly FitPrompt[],
  isRated: (modelId: string) => boolean,
): QualityFit {
  const graded = gradedAnswers(prompts)
  if (graded.size === 0) return { common: null, models: new Map() }
  const features = prompts.map((prompt) => fitFeatures(prompt))
  const common = fitRidge(features, commonAnswers(graded), {
    strengths: byFeature(commonStrengths),
    steps: commonSteps,
  })
  const fitModel = (modelId: string, answers: readonly GradedAnswer[]): ModelFit => {
    const judged = answers.reduce((sum, { prompt }) => sum + (prompts[prompt]?.weight ?? 0), 0)
    // The ridge pulls towards the rating, moved as the common part moves all models.
    const moved = answers.map((answer) => {
      const logit = dot(features[answer.prompt], common)
      return { ...answer, startLogit: answer.startLogit + logit }
    })
    const own = fitRidge(features, moved, {
      strengths: strengthsOf(isRated(modelId), judged),
      steps: ownSteps,
    })
    const coefficients = [...sumOf(common, own)]
    const evidence = evidenceOf(answers, { prompts, features, coefficients })
    return { coefficients, judged, covariance: judgedCovariance(evidence, isRated(modelId)) }
  }
  const fits = [...graded].map(
    ([modelId, answers]) => [modelId, fitModel(modelId, answers)] as const,
  )
  return {
    common: { coefficients: [...common], judged: 0, covariance: null },
    models: new Map(fits),
  }
}

/** Evidence that each answer gives about the logits of the model, as it is fitted. */
function evidenceOf(
  answers: readonly GradedAnswer[],
  {
    prompts,
    features,
    coefficients,
  }: {
    prompts: readonly FitPrompt[]
    features: readonly Float64Array[]
    coefficients: readonly number[]
  },
): Evidence[] {
  const sums = sumsByPrompt(features, answers, Float64Array.from(coefficients))
  return [...sums].map(([prompt, { information }]) => ({
    topics: prompts[prompt]?.topics ?? [],
    information,
  }))
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

/** All answers, those to one prompt together counting as one, because not every model has to answer every prompt. */
function commonAnswers(graded: ReadonlyMap<string, readonly GradedAnswer[]>): GradedAnswer[] {
  const counts = new Map<number, number>()
  const all = [...graded.values()].flat()
  for (const { prompt } of all) counts.set(prompt, (counts.get(prompt) ?? 0) + 1)
  return all.map((answer) => ({
    ...answer,
    weight: answer.weight / (counts.get(answer.prompt) ?? 1),
  }))
}

function strengthsOf(isRated: boolean, judged: number): number[] {
  const heldBack = Math.max(1, enoughAnswers / Math.max(1, judged))
  return byFeature({
    constant: isRated ? strengths.constant * heldBack : unratedConstant,
    domain: strengths.domain * heldBack,
    topic: strengths.topic * heldBack,
    difficulty: strengths.difficulty * heldBack,
  })
}

interface RidgeOptions {
  /** Strength of each feature, in judged answers. */
  strengths: readonly number[]
  /** Steps of Newton's method. */
  steps: number
}

/** Logistic ridge regression by Newton's method. A step that would overshoot is halved until it gains. */
function fitRidge(
  features: readonly Float64Array[],
  answers: readonly GradedAnswer[],
  { strengths: byStrength, steps }: RidgeOptions,
): Float64Array {
  const ridge = byStrength.map((strength) => informationOfAnswer * strength)
  const lossAt = (coefficients: Float64Array) => lossOf(features, answers, { coefficients, ridge })
  let coefficients: Float64Array = new Float64Array(fitFeatureCount)
  for (let count = 0; count < steps; count += 1) {
    const before = lossAt(coefficients)
    let step = newtonStep(features, answers, { coefficients, ridge })
    let next = sumOf(coefficients, step)
    for (let halvings = 0; halvings < mostHalvings && lossAt(next) > before; halvings += 1) {
      step = step.map((value) => value / 2)
      next = sumOf(coefficients, step)
    }
    coefficients = next
  }
  return coefficients
}

const mostHalvings = 6

interface RidgePoint {
  coefficients: Float64Array
  ridge: readonly number[]
}

function newtonStep(
  features: readonly Float64Array[],
  answers: readonly GradedAnswer[],
  { coefficients, ridge }: RidgePoint,
): Float64Array {
  const sums = sumsByPrompt(features, answers, coefficients)
  const right = coefficients.map((value, at) => -value * (ridge[at] ?? 0))
  for (const [prompt, { residual }] of sums) {
    const ofPrompt = features[prompt] ?? coefficients
    for (let at = 0; at < fitFeatureCount; at += 1) {
      right[at] = (right[at] ?? 0) + residual * (ofPrompt[at] ?? 0)
    }
  }
  return solveFactored(precisionOf(features, sums, ridge), right)
}

/** The matrix of second derivatives of `lossOf`, factored: how exactly answers and ridge determine the coefficients. */
function precisionOf(
  features: readonly Float64Array[],
  sums: ReadonlyMap<number, { information: number }>,
  ridge: readonly number[],
): CholeskyFactor {
  const matrix = new Float64Array(fitFeatureCount * fitFeatureCount)
  for (const [at, value] of ridge.entries()) matrix[at * (fitFeatureCount + 1)] = value
  for (const [prompt, { information }] of sums) {
    const ofPrompt = features[prompt]
    if (ofPrompt) addProducts(matrix, ofPrompt, information)
  }
  return factorised(matrix, fitFeatureCount)
}

/**
 * How uncertain a model's fitted logits are, for the report of a run: normal around the fit (Laplace's approximation),
 * with the common part as given.
 * @returns the standard deviation of the logit of a prompt with these features
 */
export function logitDeviations(
  prompts: readonly FitPrompt[],
  modelId: string,
  { coefficients, judged, isRated }: Omit<ModelFit, 'covariance'> & { isRated: boolean },
): (features: Float64Array) => number {
  const features = prompts.map((prompt) => fitFeatures(prompt))
  const answers = gradedAnswers(prompts).get(modelId) ?? []
  const ridge = strengthsOf(isRated, judged).map((strength) => informationOfAnswer * strength)
  const sums = sumsByPrompt(features, answers, Float64Array.from(coefficients))
  const precision = precisionOf(features, sums, ridge)
  return (ofPrompt) => Math.sqrt(dot(ofPrompt, solveFactored(precision, ofPrompt)))
}

/** Adds the sums per prompt, because adding its features to the matrix is what takes long. */
function sumsByPrompt(
  features: readonly Float64Array[],
  answers: readonly GradedAnswer[],
  coefficients: Float64Array,
): Map<number, { logit: number; information: number; residual: number }> {
  const sums = new Map<number, { logit: number; information: number; residual: number }>()
  for (const { prompt, startLogit, grade, weight } of answers) {
    let ofPrompt = sums.get(prompt)
    if (!ofPrompt) {
      ofPrompt = { logit: dot(features[prompt], coefficients), information: 0, residual: 0 }
      sums.set(prompt, ofPrompt)
    }
    const expected = sigmoid(startLogit + ofPrompt.logit)
    ofPrompt.information += weight * expected * (1 - expected)
    ofPrompt.residual += weight * (grade - expected)
  }
  return sums
}

/** The loss that Newton's method makes smaller: the negative log-likelihood and the ridge. */
function lossOf(
  features: readonly Float64Array[],
  answers: readonly GradedAnswer[],
  { coefficients, ridge }: RidgePoint,
): number {
  let loss = 0
  for (const [at, value] of coefficients.entries()) loss += 0.5 * (ridge[at] ?? 0) * value * value
  for (const { prompt, startLogit, grade, weight } of answers) {
    const logit = startLogit + dot(features[prompt], coefficients)
    loss += weight * (Math.log1p(Math.exp(-Math.abs(logit))) + Math.max(logit, 0) - grade * logit)
  }
  return loss
}

function sumOf(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, at) => value + (b[at] ?? 0))
}

function dot(a: Float64Array | undefined, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < b.length; at += 1) sum += (a?.[at] ?? 0) * (b[at] ?? 0)
  return sum
}
