/** `--quality-tolerance` and the other routing settings of a router, one option each. */
import { readFileSync, statSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Router } from '../../shared/entities.ts'
import { inputMessage } from '../../shared/chat/input-messages.ts'
import { capabilityNames, type Capability } from '../../shared/models/model-abilities.ts'
import {
  acceptances,
  defaultWeights,
  routingSettingsSchema,
  type Cascade,
  type RoutingSettings,
} from '../../shared/routers/routing-settings.ts'
import { UsageError } from './cli.ts'
import {
  none,
  orNone,
  readChoices,
  readList,
  readNumber,
  readPair,
  readUsd,
  readWholeNumber,
} from './option-values.ts'
import type { Columns } from './output.ts'
import { readSetting } from './read-setting.ts'
import {
  addShadowOptions,
  changedShadow,
  shadowInWords,
  type ShadowOptions,
} from './shadow-options.ts'

type Weights = NonNullable<RoutingSettings['weights']>

/** The options of the command. The words `default`, `all`, `off` and `none` unset a setting. */
export interface RoutingOptions extends ShadowOptions {
  qualityTolerance?: number | typeof none
  limitEachPrompt?: boolean
  weights?: Partial<Weights> | typeof none
  latencyPercentile?: 50 | 95
  require?: Capability[]
  allowProviders?: string[] | typeof none
  allowRegions?: string[] | typeof none
  localOnly?: boolean
  maxCostUsd?: number | typeof none
  fallback?: boolean
  sticky?: boolean
  chooseEffort?: boolean
  pacing?: boolean
  explore?: number
  cascade?: Cascade | typeof none
  logContent?: number | typeof none
}

const { shape } = routingSettingsSchema.unwrap()
const greatestCascadeBytes = 65_536

export function addRoutingOptions(command: Command): Command {
  for (const option of [...choosingOptions(), ...allowingOptions(), ...answeringOptions()])
    command.addOption(option)
  return addShadowOptions(command)
    .option(
      '--limit-each-prompt',
      'cost_optimized, adaptive: lose at most 5 % of the best quality with every prompt',
    )
    .option('--no-limit-each-prompt', 'lose at most 5 % on average (default)')
    .option('--local-only', 'only models on this computer')
    .option('--no-local-only', 'allow models on any computer')
    .option('--fallback', 'try the next model when one fails (default)')
    .option('--no-fallback', 'try one model only and return its error')
    .option('--sticky', 'keep a conversation on its model while it is about as good (default)')
    .option('--no-sticky', 'route each request on its own, except tool results')
    .option('--choose-effort', 'let the router choose the reasoning effort (default)')
    .option('--no-choose-effort', 'leave the reasoning effort to the request and the provider')
    .option('--pacing', 'choose expensive models less often while spending is ahead of the budget')
    .option('--no-pacing', 'ignore the budget until it is spent')
}

function choosingOptions(): Option[] {
  const tolerance = 'how far a model’s expected quality may be below the best, 0 to 0.5'
  const weights =
    'for balanced: quality that the range from the lowest to the highest model is worth'
  const percentile = 'latency to compare, median or 95th percentile, for latency_optimized'
  const share = 'share of requests that try another model, 0 to 0.02, for adaptive'
  return [
    new Option('--quality-tolerance <number|default>', tolerance).argParser(
      readSetting({ schema: shape.qualityTolerance, read: readNumber, absent: 'default' }),
    ),
    new Option('--weights <cost=x,latency=y,carbon=z|default>', weights).argParser(readWeights),
    new Option('--latency-percentile <50|95>', percentile).argParser(readPercentile),
    new Option('--explore <share>', share).argParser(
      readSetting({ schema: shape.explorationShare, read: readNumber }),
    ),
  ]
}

function allowingOptions(): Option[] {
  const regions = 'only models that run in these countries (three-letter ISO 3166 codes)'
  return [
    new Option('--require <tools,json|none>', 'capabilities that every model must have').argParser(
      orNone(readChoices(capabilityNames)),
    ),
    new Option('--allow-providers <a,b|all>', 'only models of these providers').argParser(
      readSetting({ schema: shape.providers, read: readList, absent: 'all' }),
    ),
    new Option('--allow-regions <FRA,DEU|all>', regions).argParser(
      readSetting({ schema: shape.regions, read: readList, absent: 'all' }),
    ),
    new Option(
      '--max-cost-usd <x|none>',
      'exclude models that may cost more for one request',
    ).argParser(readSetting({ schema: shape.maxCostUsdPerRequest, read: readUsd, absent: 'none' })),
  ]
}

function answeringOptions(): Option[] {
  const content = 'store full requests and answers for this many days; off deletes them'
  return [
    new Option(
      '--cascade <file.json|off>',
      'try cheap models first and check their answers',
    ).argParser(readCascade),
    new Option('--log-content <days|off>', content).argParser(
      readSetting({ schema: shape.contentDays, read: readWholeNumber, absent: 'off' }),
    ),
  ]
}

/** The router's settings with the options that were given. */
export function changedRouting(
  before: Partial<RoutingSettings>,
  options: RoutingOptions,
): Partial<RoutingSettings> {
  const { weights, qualityTolerance, latencyPercentile, allowProviders, allowRegions } = options
  const { require, maxCostUsd, explore, cascade, logContent } = options
  const { limitEachPrompt, localOnly, fallback, sticky, chooseEffort, pacing } = options
  const given = {
    qualityTolerance: orNull(qualityTolerance),
    limitEachPrompt,
    weights: weights === undefined ? undefined : changedWeights(before.weights ?? null, weights),
    latencyPercentile,
    requires: require,
    providers: orNull(allowProviders),
    regions: orNull(allowRegions),
    localOnly,
    maxCostUsdPerRequest: orNull(maxCostUsd),
    fallback,
    sticky,
    chooseEffort,
    pacing,
    explorationShare: explore,
    cascade: orNull(cascade),
    contentDays: orNull(logContent),
    shadow: changedShadow(before.shadow ?? null, options),
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  // The same names with their own values, without those that were not given.
  return { ...before, ...(Object.fromEntries(set) as Partial<RoutingSettings>) }
}

/** The other options. */
export function withoutRouting<Options extends RoutingOptions>({
  qualityTolerance: _qualityTolerance,
  limitEachPrompt: _limitEachPrompt,
  weights: _weights,
  latencyPercentile: _latencyPercentile,
  require: _require,
  allowProviders: _allowProviders,
  allowRegions: _allowRegions,
  localOnly: _localOnly,
  maxCostUsd: _maxCostUsd,
  fallback: _fallback,
  sticky: _sticky,
  chooseEffort: _chooseEffort,
  pacing: _pacing,
  explore: _explore,
  cascade: _cascade,
  logContent: _logContent,
  shadow: _shadow,
  shadowJudge: _shadowJudge,
  shadowUsdPerDay: _shadowUsdPerDay,
  ...others
}: Options): Omit<Options, keyof RoutingOptions> {
  return others
}

/** Shown for one router only: a list of routers would be wider than any screen. */
export const routingColumns: Columns<Router> = {
  TOLERANCE: ({ routing }) => routing.qualityTolerance ?? 'default',
  'EACH PROMPT': ({ routing }) => onOrOff(routing.limitEachPrompt),
  WEIGHTS: ({ routing: { weights } }) =>
    weights === null
      ? 'default'
      : `cost=${weights.cost},latency=${weights.latency},carbon=${weights.carbon}`,
  PERCENTILE: ({ routing }) => routing.latencyPercentile,
  REQUIRES: ({ routing }) => routing.requires.join(' ') || 'none',
  PROVIDERS: ({ routing }) => routing.providers?.join(' ') ?? 'all',
  REGIONS: ({ routing }) => routing.regions?.join(' ') ?? 'all',
  'LOCAL ONLY': ({ routing }) => onOrOff(routing.localOnly),
  'COST AT MOST': ({ routing: { maxCostUsdPerRequest: usd } }) =>
    usd === null ? 'none' : `$${usd} a request`,
  FALLBACK: ({ routing }) => onOrOff(routing.fallback),
  STICKY: ({ routing }) => onOrOff(routing.sticky),
  'CHOOSES EFFORT': ({ routing }) => onOrOff(routing.chooseEffort),
  PACING: ({ routing }) => onOrOff(routing.pacing),
  EXPLORES: ({ routing }) => routing.explorationShare,
  CASCADE: ({ routing: { cascade } }) =>
    cascade?.tiers.map(({ models, accept }) => `${models.join(' + ')} (${accept})`).join(', ') ??
    'off',
  'CONTENT KEPT': ({ routing: { contentDays } }) =>
    contentDays === null ? 'off' : `${contentDays} days`,
  'SHADOW SAMPLES': ({ routing: { shadow } }) => shadowInWords(shadow),
}

function onOrOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function orNull<Value>(value: Value | typeof none | undefined): Value | null | undefined {
  return value === none ? null : value
}

function changedWeights(
  before: Weights | null,
  given: Partial<Weights> | typeof none,
): Weights | null {
  return given === none ? null : { ...(before ?? defaultWeights), ...given }
}

function readPercentile(text: string): 50 | 95 {
  if (text === '50') return 50
  if (text === '95') return 95
  throw new InvalidArgumentError('Expected 50 or 95.')
}

function readWeights(text: string): Partial<Weights> | typeof none {
  if (text === 'default') return none
  const pairs = readList(text).reduce<Record<string, string>>(
    (before, pair) => readPair(pair, before),
    {},
  )
  const weights = Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => [name, readNumber(value)]),
  )
  const parsed = shape.weights.safeParse({ ...defaultWeights, ...weights })
  if (parsed.success) return weights
  throw new InvalidArgumentError(
    'Weights are cost, latency and carbon, each from 0 to 1, or default.',
  )
}

/** @throws UsageError naming the option, the file and the place in it */
function readCascade(file: string): Cascade | typeof none {
  if (file === 'off') return none
  const parsed = shape.cascade.safeParse(readJsonFile(file), { error: inputMessage })
  if (parsed.success && parsed.data !== null) return parsed.data
  const [issue] = parsed.error?.issues ?? []
  const place = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`
  throw new UsageError(
    `--cascade: ${file} is not a cascade${place}: ${issue?.message ?? 'it is empty'}. It looks like ` +
      `{"tiers":[{"models":["a:small","b:small"],"accept":"agree"}]}; accept is one of ${acceptances.join(', ')}.`,
  )
}

function readJsonFile(file: string): unknown {
  try {
    if (statSync(file).size > greatestCascadeBytes)
      throw new UsageError(`--cascade: ${file} is too large for a cascade.`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof UsageError) throw error
    const isRead = error instanceof SyntaxError
    const why = isRead ? `${file} is not JSON` : `${file} cannot be read`
    throw Object.assign(new UsageError(`--cascade: ${why}; a file name or off is expected.`), {
      cause: error,
    })
  }
}
