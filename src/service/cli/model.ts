import type { Command } from 'commander'
import type { Model } from '../../shared/entities.ts'
import {
  capabilityNames,
  refusableParameters,
  type Capability,
  type RefusableParameter,
} from '../../shared/models/model-abilities.ts'
import { formatRating } from '../../shared/models/rating-words.ts'
import type { DatedPrice } from '../../shared/models/dated-price.ts'
import type { Workspace } from '../wiring/workspace.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import {
  orNone,
  readChoices,
  readNumber,
  readTime,
  readUsd,
  readWholeNumber,
} from './option-values.ts'
import type { Columns } from './output.ts'

interface AddOptions {
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  context?: number
  maxOutput?: number
  capabilities?: Capability[]
  quality?: number
  energyWhPerKtok?: number
  region?: string
  refuses?: RefusableParameter[]
}

const columns: Columns<Model> = {
  MODEL: ({ id }) => id,
  'IN USD/M': ({ inputUsdPerMtok }) => inputUsdPerMtok,
  'OUT USD/M': ({ outputUsdPerMtok }) => outputUsdPerMtok,
  CONTEXT: ({ contextTokens }) => contextTokens,
  QUALITY: ({ quality }) => quality,
  RATING: ({ rating }) => formatRating(rating),
  CAPABILITIES: ({ capabilities }) => capabilities.join(' '),
  'PRICE FROM': ({ priceSource }) => {
    if (priceSource === null) return null
    return priceSource.kind === 'user' ? 'you' : `${priceSource.source}, ${priceSource.asOf}`
  },
}

export function registerModel(program: Command, cli: Cli): void {
  const model = program.command('model').description('manage prices and capabilities of models')
  registerAdd(model, cli)
  registerPrice(model, cli)
  model
    .command('list')
    .description('list models from the catalog, from providers and your own')
    .option('--provider <id>', 'only models of this provider')
    .action(({ provider }: { provider?: string }) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const models = await dashboard.models()
        const wanted = models.filter((one) => provider === undefined || one.providerId === provider)
        cli.output.table(wanted, columns)
      }),
    )
  model
    .command('refresh <provider>')
    .description('refresh the list of a provider’s models')
    .action((providerId: string) => refresh(providerId, cli))
  model
    .command('forget <provider:model>')
    .description(
      'delete the feedback and the grades of a model, for example after its provider changed it',
    )
    .action((id: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        await dashboard.forgetFeedback(id)
        cli.output.done({ id }, `Forgot the feedback and the grades of ${id}.`)
      }),
    )
}

function registerAdd(model: Command, cli: Cli): void {
  model
    .command('add <provider:model>')
    .description('set your own figures for a model; they take precedence over the catalog')
    .requiredOption('--input-usd-per-mtok <usd>', 'per million prompt tokens', readNumber)
    .requiredOption('--output-usd-per-mtok <usd>', 'per million completion tokens', readNumber)
    .option('--context <tokens>', 'prompt and completion together', readWholeNumber)
    .option('--max-output <tokens>', 'maximum completion tokens', readWholeNumber)
    .option('--capabilities <a,b>', capabilityNames.join(', '), readChoices(capabilityNames))
    .option('--quality <0..1>', 'expected answer quality', readNumber)
    .option('--energy-wh-per-ktok <wh>', 'watt-hours per thousand completion tokens', readNumber)
    .option('--region <zone>', 'electricity grid zone the model runs in', String)
    .option(
      '--refuses <a,b|none>',
      `parameters to leave out for it: ${refusableParameters.join(', ')}`,
      orNone(readChoices(refusableParameters)),
    )
    .action((id: string, { context, maxOutput, ...figures }: AddOptions) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const input = { id, contextTokens: context, maxOutputTokens: maxOutput, ...figures }
        const saved = await dashboard.saveModel(input)
        cli.output.done(saved, `Saved ${saved.id}.`)
      }),
    )
}

interface PriceOptions {
  from?: number
  inputUsdPerMtok?: number
  outputUsdPerMtok?: number
  cacheReadUsdPerMtok?: number
  cacheWriteUsdPerMtok?: number
  cacheWrite1hUsdPerMtok?: number
  remove?: true
}

const datedColumns: Columns<DatedPrice> = {
  MODEL: ({ modelId }) => modelId,
  FROM: ({ fromMs }) => new Date(fromMs).toISOString(),
  'IN USD/M': ({ inputUsdPerMtok }) => inputUsdPerMtok,
  'OUT USD/M': ({ outputUsdPerMtok }) => outputUsdPerMtok,
  'CACHE READ': ({ cacheReadUsdPerMtok }) => cacheReadUsdPerMtok,
  'CACHE WRITE': ({ cacheWriteUsdPerMtok }) => cacheWriteUsdPerMtok,
  'CACHE WRITE 1H': ({ cacheWrite1hUsdPerMtok }) => cacheWrite1hUsdPerMtok,
}

function registerPrice(model: Command, cli: Cli): void {
  model
    .command('price <provider:model>')
    .description(
      'correct the price of a model from a date on; without --from, list its corrections',
    )
    .option('--from <time>', 'when it begins, for example 2026-11-21', readTime)
    .option('--input-usd-per-mtok <usd>', 'per million prompt tokens', readUsd)
    .option('--output-usd-per-mtok <usd>', 'per million completion tokens', readUsd)
    .option('--cache-read-usd-per-mtok <usd>', 'read from a cache; as input if absent', readUsd)
    .option('--cache-write-usd-per-mtok <usd>', 'written to a cache; as input if absent', readUsd)
    .option('--cache-write-1h-usd-per-mtok <usd>', 'written for an hour', readUsd)
    .option('--remove', 'remove the price that begins then')
    .action((modelId: string, options: PriceOptions) =>
      cli.inWorkspace(({ dashboard }) => changePrice(modelId, options, { dashboard, cli })),
    )
}

async function changePrice(
  modelId: string,
  options: PriceOptions,
  { dashboard, cli }: Pick<Workspace, 'dashboard'> & { cli: Cli },
): Promise<void> {
  const { from: fromMs, inputUsdPerMtok, outputUsdPerMtok, remove } = options
  if (fromMs === undefined) {
    const prices = await dashboard.datedPrices()
    const ofModel = prices.filter((price) => price.modelId === modelId)
    return cli.output.table(ofModel, datedColumns)
  }
  const day = new Date(fromMs).toISOString()
  if (remove) {
    await dashboard.removeDatedPrice({ modelId, fromMs })
    return cli.output.done({ modelId, fromMs }, `Removed the price of ${modelId} from ${day}.`)
  }
  if (inputUsdPerMtok === undefined || outputUsdPerMtok === undefined) {
    throw new UsageError('--from needs --input-usd-per-mtok and --output-usd-per-mtok, or --remove')
  }
  const price = {
    modelId,
    fromMs,
    inputUsdPerMtok,
    outputUsdPerMtok,
    cacheReadUsdPerMtok: options.cacheReadUsdPerMtok ?? null,
    cacheWriteUsdPerMtok: options.cacheWriteUsdPerMtok ?? null,
    cacheWrite1hUsdPerMtok: options.cacheWrite1hUsdPerMtok ?? null,
  }
  await dashboard.correctPrice(price)
  cli.output.done(price, `The price of ${modelId} applies from ${day}.`)
}

async function refresh(providerId: string, cli: Cli): Promise<void> {
  await cli.inWorkspace(async ({ dashboard }) => {
    const result = await dashboard.testProvider(providerId)
    if (!result.ok) throw new CommandFailed(`${providerId}: ${result.message}`)
    const models = await dashboard.models()
    cli.output.table(
      models.filter((model) => model.providerId === providerId),
      columns,
    )
  })
}
