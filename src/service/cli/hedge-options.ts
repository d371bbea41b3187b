/** `--hedge` and `--hedge-max-extra-percent`: when a router also asks a second model. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Router, RouterInput } from '../../shared/entities.ts'
import { UsageError } from './cli.ts'
import { readNumber, readWholeNumber } from './option-values.ts'

export interface HedgeOptions {
  hedge?: 'off' | 'auto' | number
  hedgeMaxExtraPercent?: number
}

type HedgeInput = RouterInput['hedge']

export function addHedgeOptions(command: Command): Command {
  const words =
    'also ask a second model after this time without output; auto uses the model’s 95th percentile'
  return command
    .addOption(new Option('--hedge <off|auto|ms>', words).argParser(readHedge))
    .option(
      '--hedge-max-extra-percent <number>',
      'maximum that hedging may add to the router’s cost of 24 hours, 5 by default',
      readNumber,
    )
}

/** The router's hedge with the given options. */
export function changedHedge(before: HedgeInput, options: HedgeOptions): HedgeInput {
  const { hedge, hedgeMaxExtraPercent: maxExtraPercent } = options
  if (hedge === 'off') return null
  const afterMs = hedge ?? before?.afterMs
  if (afterMs === undefined) {
    if (maxExtraPercent === undefined) return null
    throw new UsageError('--hedge-max-extra-percent needs --hedge.')
  }
  return { ...before, afterMs, ...(maxExtraPercent === undefined ? {} : { maxExtraPercent }) }
}

export function hedgeInWords(hedge: Router['hedge']): string {
  if (hedge === null) return 'off'
  const after = hedge.afterMs === 'auto' ? 'auto' : `${hedge.afterMs} ms`
  return `${after}, ${hedge.maxExtraPercent} %`
}

/** The other options. */
export function withoutHedge<Options extends HedgeOptions>({
  hedge: _hedge,
  hedgeMaxExtraPercent: _maxExtraPercent,
  ...others
}: Options): Omit<Options, keyof HedgeOptions> {
  return others
}

function readHedge(text: string): 'off' | 'auto' | number {
  if (text === 'off' || text === 'auto') return text
  try {
    return readWholeNumber(text)
  } catch {
    throw new InvalidArgumentError('Expected off, auto, or milliseconds.')
  }
}
