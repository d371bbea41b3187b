/** `--first-token-ms` and a router's other time limits, one option each. */
import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  defaultTimeLimits,
  timeLimitNames,
  type OwnTimeLimits,
  type TimeLimits,
} from '../../shared/routers/time-limits.ts'
import { readWholeNumber } from './option-values.ts'

/** `default` unsets a limit; commander treats null as an option without a value. */
export type TimeLimitOptions = Partial<Record<keyof TimeLimits, number | 'default'>>

const flags: Record<keyof TimeLimits, string> = {
  connectMs: '--connect-ms',
  firstTokenMs: '--first-token-ms',
  betweenChunksMs: '--between-chunks-ms',
  totalMs: '--total-ms',
}
const words: Record<keyof TimeLimits, string> = {
  connectMs: 'limit for connecting',
  firstTokenMs: 'limit for the first token of a stream',
  betweenChunksMs: 'limit between two parts of a stream',
  totalMs: 'limit for the whole answer',
}

export function addTimeLimitOptions(command: Command): Command {
  for (const name of timeLimitNames) {
    const described = `${words[name]}, ${defaultTimeLimits[name]} by default`
    command.addOption(new Option(`${flags[name]} <ms|default>`, described).argParser(readTimeLimit))
  }
  return command
}

/** The other options. */
export function withoutTimeLimits<Options extends TimeLimitOptions>({
  connectMs: _connectMs,
  firstTokenMs: _firstTokenMs,
  betweenChunksMs: _betweenChunksMs,
  totalMs: _totalMs,
  ...others
}: Options): Omit<Options, keyof TimeLimits> {
  return others
}

/** The router's limits with the given options. */
export function changedTimeLimits(before: OwnTimeLimits, options: TimeLimitOptions): OwnTimeLimits {
  const limits = { ...before }
  for (const name of timeLimitNames) {
    const given = options[name]
    if (given === 'default') delete limits[name]
    else if (given !== undefined) limits[name] = given
  }
  return limits
}

function readTimeLimit(text: string): number | 'default' {
  if (text === 'default') return text
  try {
    return readWholeNumber(text)
  } catch {
    throw new InvalidArgumentError('Expected milliseconds, or default.')
  }
}
