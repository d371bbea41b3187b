import { Argument, type Command } from 'commander'
import type { Cli } from './cli.ts'

const verdicts = ['up', 'down', 'none'] as const
type Verdict = (typeof verdicts)[number]

const sentences: Readonly<Record<Verdict, string>> = {
  up: 'Noted as good.',
  down: 'Noted as bad.',
  none: 'Taken back.',
}

export function registerFeedback(program: Command, cli: Cli): void {
  program
    .command('feedback')
    .description('rate an answer; routers with the strategy `adaptive` learn from ratings')
    .argument('<request>', 'its id: `x-request-id`, or from `modelport requests`')
    .addArgument(new Argument('<verdict>', 'none takes it back').choices(verdicts))
    .action((requestId: string, verdict: Verdict) =>
      cli.inWorkspace(async ({ dashboard }) => {
        if (verdict === 'none') await dashboard.withdrawFeedback({ requestId, kind: 'up' })
        else await dashboard.giveFeedback({ requestId, kind: verdict })
        cli.output.done({ requestId, verdict }, sentences[verdict])
      }),
    )
}
