import type { Command } from 'commander'
import { replaceFile } from '../data-folder/durable-file.ts'
import type { Cli } from './cli.ts'
import { targetFile } from './target-file.ts'

export function registerExport(program: Command, cli: Cli): void {
  program
    .command('export <file>')
    .description(
      'write providers, models, prices, routers, agents and settings as JSON, without keys; - writes to stdout',
    )
    .option('--force', 'overwrite an existing file')
    .action((name: string, { force = false }: { force?: boolean }) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const document = await dashboard.exportConfiguration()
        if (name === '-') {
          cli.output.json(document)
          return
        }
        const file = targetFile(name, cli.workspaceOptions().dataDir, force)
        await replaceFile(file, `${JSON.stringify(document, null, 2)}\n`)
        const { providers, models, routers, agents } = document
        const counts = {
          providers: providers.length,
          models: models.length,
          routers: routers.length,
          agents: agents.length,
        }
        const words = Object.entries(counts).map(([what, count]) => `${what}: ${count}`)
        cli.output.done({ file, ...counts }, `Wrote ${file} (${words.join(', ')}).`)
      }),
    )
}
