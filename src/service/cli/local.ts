import { resolve } from 'node:path'
import type { Command } from 'commander'
import { formatBytes } from '../../shared/strings/format.ts'
import type { LocalFileState, LocalModelInfo } from '../../shared/models/local-models.ts'
import type { Workspace } from '../wiring/workspace.ts'
import { CommandFailed, type Cli } from './cli.ts'
import type { Columns } from './output.ts'

const columns: Columns<LocalModelInfo> = {
  NAME: ({ name }) => name,
  MODEL: ({ title }) => title,
  SIZE: ({ sizeBytes }) => formatBytes(sizeBytes),
  MEMORY: ({ memoryBytes }) => formatBytes(memoryBytes),
  CONTEXT: ({ contextTokens }) => contextTokens,
  LICENCE: ({ licence }) => licence?.name ?? null,
  STATE: ({ state, sizeBytes }) => wordsFor(state, sizeBytes),
}

export function registerLocal(program: Command, cli: Cli): void {
  const group = program.command('local').description('manage models that run on this computer')
  group
    .command('list')
    .description('list local models: size, memory, licence and whether they are installed')
    .action(() =>
      cli.inWorkspace(async ({ localModels }) =>
        cli.output.table(await localModels.list(), columns),
      ),
    )
  group
    .command('download <name>')
    .description('download a model; Ctrl-C pauses')
    .action((name: string) => download(name, cli))
  group
    .command('resume <name>')
    .description('continue a paused or interrupted download')
    .action((name: string) => download(name, cli))
  group
    .command('pause <name>')
    .description('pause a download that runs in another process')
    .action((name: string) =>
      cli.inWorkspace(async ({ localModels }) => {
        const model = await localModels.pause(name)
        const words = wordsFor(model.state, model.sizeBytes)
        cli.output.done(model, `${model.title} is ${words}.`)
      }),
    )
  group
    .command('remove <name>')
    .description('delete a downloaded model, or forget a file that you added')
    .action((name: string) =>
      cli.inWorkspace(async ({ localModels }) => {
        await localModels.remove(name)
        cli.output.done({ name }, `Removed ${name}.`)
      }),
    )
  group
    .command('add <file>')
    .description('add a model file (GGUF) of your own under its own name')
    .action((file: string) =>
      cli.inWorkspace(async ({ localModels }) => {
        const model = await localModels.add(resolve(file))
        cli.output.done(model, `Added local:${model.name} (${model.title}).`)
      }),
    )
}

/** @throws CommandFailed when the download fails or is paused */
async function download(name: string, cli: Cli): Promise<void> {
  await cli.inWorkspace(async (workspace) => {
    const { localModels } = workspace
    const pause = () => void localModels.pause(name)
    process.once('SIGINT', pause)
    const stopShowing = showProgress(name, workspace, cli)
    try {
      report(await localModels.download(name), cli)
    } finally {
      stopShowing()
      process.off('SIGINT', pause)
    }
  })
}

function report(model: LocalModelInfo, { output }: Cli): void {
  const { name, title, state, licence } = model
  if (state.kind === 'failed') throw new CommandFailed(state.message)
  if (state.kind === 'downloading') {
    throw new CommandFailed(`Another process downloads it: ${wordsFor(state, model.sizeBytes)}.`)
  }
  if (state.kind !== 'installed') {
    throw new CommandFailed(`The download is paused. Continue: modelport local resume ${name}`)
  }
  const terms = licence === null ? '' : ` Licence: ${licence.name}, ${licence.url}`
  output.done(model, `Installed local:${name} (${title}).${terms}`)
}

/** Notes each tenth of the download. @returns stops it */
function showProgress(name: string, { localModel }: Workspace, { output }: Cli): () => void {
  let shownTenth = -1
  const show = async () => {
    const model = (await localModel.models()).find((listed) => listed.name === name)
    if (model?.state.kind !== 'downloading') return
    const tenth = Math.floor((10 * model.state.receivedBytes) / model.sizeBytes)
    if (tenth <= shownTenth) return
    shownTenth = tenth
    output.note(`${model.title}: ${wordsFor(model.state, model.sizeBytes)}`)
  }
  return localModel.onModels(() => void show())
}

function wordsFor(state: LocalFileState, sizeBytes: number): string {
  switch (state.kind) {
    case 'available':
      return 'not installed'
    case 'downloading':
    case 'paused':
      return `${state.kind}, ${formatBytes(state.receivedBytes)} of ${formatBytes(sizeBytes)}`
    case 'failed':
    case 'unusable':
      return state.message
    default:
      return state.kind
  }
}
