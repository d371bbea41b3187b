import { Argument, type Command } from 'commander'
import type { Cli } from './cli.ts'

const verdicts = ['up', 'down', 'none'] as const
type Verdict = (typeof verdicts)[number]

const sentences: Readonly<Record<Verdict, string>> = {
  up: 'Rated as good.',
  down: 'Rated as bad.',
  none: 'Rating removed.',
}

export function registerFeedback(program: Command, cli: Cli): void {
  program
    .command('feedback')
    .description('rate an answer; routers with the strategy `adaptive` learn from ratings')
    .argument('<request>', 'the request’s id, from `x-request-id` or `modelport requests`')
    .addArgument(
      new Argument('<verdict>', 'up, down, or none to remove the rating').choices(verdicts),
    )
    .action((requestId: string, verdict: Verdict) =>
      cli.inWorkspace(async ({ dashboard }) => {
        if (verdict === 'none') await dashboard.withdrawFeedback({ requestId, kind: 'up' })
        else await dashboard.giveFeedback({ requestId, kind: verdict })
        cli.output.done({ requestId, verdict }, sentences[verdict])
      }),
    )
}
