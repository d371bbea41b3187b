import type { Model, Router } from '../../shared/entities.ts'
import { makesEmbeddings } from '../../shared/models/model-abilities.ts'
import { runsOnThisComputer, type ProviderLocation } from '../provider-types/provider-types.ts'
import { DashboardError } from './dashboard.ts'

/** The fields of a router that decide which models may answer. */
export type ModelChoice = Pick<Router, 'models' | 'routing'>

export interface KnownParts {
  models: ReadonlyMap<string, Model>
  routers: ReadonlyMap<string, unknown>
  providers: ReadonlyMap<string, ProviderLocation>
}

type Rule = [setting: string, words: string, allows: (model: Model) => boolean]

/**
 * Settings that exclude all models of a router would refuse every request.
 * @throws DashboardError invalid, naming the setting that excludes the last model
 */
export function checkRouting({ models, routing }: ModelChoice, known: KnownParts): void {
  const { providers, regions, localOnly, requires } = routing
  const rules: Rule[] = [
    [
      'providers',
      'belongs to one of these providers',
      ({ providerId }) => providers?.includes(providerId) ?? true,
    ],
    [
      'regions',
      'runs in one of these regions',
      ({ region }) => regions?.includes(region ?? '') ?? true,
    ],
    ['localOnly', 'runs on this computer', (model) => !localOnly || isLocal(model, known)],
    [
      'requires',
      'has all of these capabilities',
      ({ capabilities }) => requires.every(isIn(capabilities)),
    ],
  ]
  checkJudge(routing, known, rules)
  checkSafetyModel(routing, known, rules)
  checkShadowSteps(routing, known, rules)
  checkSubagents(routing, known)
  let left = models.flatMap((id) => known.models.get(id) ?? [])
  for (const [setting, words, allows] of rules) {
    left = left.filter(allows)
    if (left.length > 0) continue
    const message = `No model of the router that the other settings allow ${words}. Add such a model, or relax this setting.`
    throw new DashboardError('invalid', message, `routing.${setting}`)
  }
}

/** The judge of shadow samples reads prompts and answers, so it must be allowed to. */
function checkJudge(
  { shadow }: ModelChoice['routing'],
  known: KnownParts,
  rules: readonly Rule[],
): void {
  if (shadow === null) return
  const refuse = refusing(`The judge ${shadow.judge}`, 'routing.shadow.judge')
  const judge = known.models.get(shadow.judge)
  const problem = readerProblem(judge, rules)
  if (problem !== null) return refuse(problem)
  if (judge && isLocal(judge, known))
    refuse('runs on this computer and would slow down the answers to your requests.')
}

function checkShadowSteps(
  { shadowSteps }: ModelChoice['routing'],
  known: KnownParts,
  rules: readonly Rule[],
): void {
  if (shadowSteps === null) return
  const refuse = refusing(`The model ${shadowSteps.model}`, 'routing.shadowSteps.model')
  const problem = readerProblem(known.models.get(shadowSteps.model), rules)
  if (problem !== null) refuse(problem)
}

/** The model that answers checks of actions reads what an agent does. */
function checkSafetyModel(
  { safetyModel }: ModelChoice['routing'],
  known: KnownParts,
  rules: readonly Rule[],
): void {
  if (safetyModel === null) return
  const refuse = refusing(`The safety model ${safetyModel}`, 'routing.safetyModel')
  const problem = readerProblem(known.models.get(safetyModel), rules)
  if (problem !== null) refuse(problem)
}

function refusing(who: string, field: string) {
  return (reason: string) => {
    throw new DashboardError('invalid', `${who} ${reason}`, field)
  }
}

/** Why a model beside the router's list may not read its prompts; null when it may. */
function readerProblem(model: Model | undefined, rules: readonly Rule[]): string | null {
  if (!model) return 'is not known. Choose a model of a provider that is set up.'
  if (model.inputUsdPerMtok === null || model.outputUsdPerMtok === null)
    return 'has no price. Set its price first.'
  if (makesEmbeddings(model)) return 'makes embeddings and cannot chat.'
  const broken = rules.find(([, , allows]) => !allows(model))
  return broken ? `is excluded by this router’s setting “${broken[0]}”.` : null
}

/** A subagent goes to a router or to a model that can be billed. */
function checkSubagents(
  { subagents }: ModelChoice['routing'],
  { models, routers }: KnownParts,
): void {
  for (const [type, target] of Object.entries(subagents ?? {})) {
    if (routers.has(target)) continue
    const { inputUsdPerMtok = null, outputUsdPerMtok = null } = models.get(target) ?? {}
    if (inputUsdPerMtok !== null && outputUsdPerMtok !== null) continue
    const message = models.has(target)
      ? `"${target}" has no price. Set its price first.`
      : `There is no router and no model "${target}". Use a router’s id, or a model of a provider that is set up.`
    throw new DashboardError('invalid', message, `routing.subagents.${type}`)
  }
}

function isLocal({ providerId }: Model, { providers }: KnownParts): boolean {
  const provider = providers.get(providerId)
  return provider !== undefined && runsOnThisComputer(provider)
}

/** A model that supports JSON schemas supports plain JSON as well. */
function isIn(capabilities: Model['capabilities']) {
  return (need: Model['capabilities'][number]): boolean =>
    capabilities.includes(need) || (need === 'json_object' && capabilities.includes('json'))
}
