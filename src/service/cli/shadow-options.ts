/** `--shadow` and its companions: which share of a router's requests a second model answers as well, for grading. */
import { Option, type Command } from 'commander'
import { formatUsd } from '../../shared/strings/format.ts'
import { shadowSettingsSchema, type ShadowSettings } from '../../shared/routers/shadow-settings.ts'
import { UsageError } from './cli.ts'
import { none, readNumber, readUsd } from './option-values.ts'
import { readSetting } from './read-setting.ts'

export interface ShadowOptions {
  shadow?: number | typeof none
  shadowJudge?: string
  shadowUsdPerDay?: number
}

const { shape } = shadowSettingsSchema

export function addShadowOptions(command: Command): Command {
  const share =
    'also send this share of requests to a second model and grade both answers, 0.05 is 5 %'
  const cap = 'what shadow samples may cost per UTC day, the judge included'
  return command
    .addOption(
      new Option('--shadow <share|off>', share).argParser(
        readSetting({ schema: shape.share, read: readNumber, absent: 'off' }),
      ),
    )
    .option('--shadow-judge <model>', 'the model that grades shadow samples')
    .addOption(
      new Option('--shadow-usd-per-day <usd>', cap).argParser(
        readSetting({ schema: shape.maxUsdPerDay, read: readUsd }),
      ),
    )
}

/**
 * The router's shadow sampling with the given options; undefined when none was given.
 * @throws UsageError naming a missing option
 */
export function changedShadow(
  before: ShadowSettings | null,
  { shadow, shadowJudge, shadowUsdPerDay }: ShadowOptions,
): ShadowSettings | null | undefined {
  if (shadow === none) return null
  const isGiven = [shadow, shadowJudge, shadowUsdPerDay].some((value) => value !== undefined)
  if (!isGiven) return undefined
  return {
    share: needed('--shadow', shadow ?? before?.share),
    judge: needed('--shadow-judge', shadowJudge ?? before?.judge),
    maxUsdPerDay: needed('--shadow-usd-per-day', shadowUsdPerDay ?? before?.maxUsdPerDay),
  }
}

function needed<Value>(option: string, value: Value | undefined): Value {
  if (value !== undefined) return value
  throw new UsageError(
    `Shadow sampling needs ${option}. It takes --shadow, --shadow-judge and --shadow-usd-per-day together.`,
  )
}

export function shadowInWords(shadow: ShadowSettings | null): string {
  if (shadow === null) return 'off'
  const { share, judge, maxUsdPerDay } = shadow
  return `${Number((share * 100).toFixed(2))} %, ${formatUsd(maxUsdPerDay)} a day, judge ${judge}`
}
