import type { Command } from 'commander'
import type { TrustState, TrustStoreState } from '../../shared/app/trust.ts'
import { createTrust, noAuthority, TrustFailed, type Trust } from '../trust/trust.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import type { Columns } from './output.ts'

interface TrustCommandOptions {
  dryRun: boolean
  yes: boolean
}

export function registerTrust(program: Command, cli: Cli): void {
  addCommand(program, cli, {
    name: 'trust',
    description: 'let this computer trust the certificate authority; shows each command and asks',
    isTrusted: true,
  })
}

export function registerUntrust(program: Command, cli: Cli): void {
  addCommand(program, cli, {
    name: 'untrust',
    description: 'remove the certificate authority from the trust stores',
    isTrusted: false,
  })
}

interface Wish {
  name: string
  description: string
  isTrusted: boolean
}

function addCommand(program: Command, cli: Cli, wish: Wish): void {
  program
    .command(`${wish.name} [stores...]`)
    .description(wish.description)
    .option('--dry-run', 'show the commands and run none', false)
    .option('--yes', 'run the commands without asking', false)
    .action((stores: string[], options: TrustCommandOptions) =>
      change(cli, { ...wish, stores, ...options }),
    )
}

const columns: Columns<TrustStoreState> = {
  STORE: ({ id }) => id,
  NAME: ({ name }) => name,
  STATE: ({ isTrusted, hasOutdated }) => {
    const state = isTrusted ? 'trusted' : 'not trusted'
    return hasOutdated ? `${state}; has a replaced authority` : state
  },
}

type Change = Wish & TrustCommandOptions & { stores: readonly string[] }

async function change(cli: Cli, { isTrusted, stores, dryRun, yes }: Change): Promise<void> {
  const { dataDir } = cli.workspaceOptions()
  const trust = createTrust({ dataDir, env: cli.env })
  const state = await trust.state()
  if (state === null) throw new CommandFailed(noAuthority)
  const wanted = chosen(state, stores)
  const due = wanted.filter(
    (store) => store.isTrusted !== isTrusted || (!isTrusted && store.hasOutdated),
  )
  cli.output.table(wanted, columns)
  for (const store of due) {
    cli.output.note(
      [`\n${store.name} (${store.id}):`, ...commandsOf(store, isTrusted)].join('\n  '),
    )
  }
  if (dryRun || due.length === 0) return
  if (!yes) await confirm('Run these commands?', cli)
  const problems: string[] = []
  for (const { id } of due) {
    const problem = await tryChange(trust, id, isTrusted)
    if (problem !== null) problems.push(problem)
  }
  if (problems.length > 0) throw new CommandFailed(problems.join('\n'))
}

function commandsOf(store: TrustStoreState, isTrusted: boolean): readonly string[] {
  const commands = isTrusted ? store.trustCommands : store.untrustCommands
  return store.obstacle === 'administrator' ? commands.map((line) => `sudo ${line}`) : commands
}

/** All stores if none is named. @throws UsageError for a name that this computer does not have */
function chosen({ stores }: TrustState, names: readonly string[]): readonly TrustStoreState[] {
  const unknown = names.find((name) => !stores.some(({ id }) => id === name))
  if (unknown !== undefined) {
    const known = stores.map(({ id }) => id).join(', ')
    throw new UsageError(`There is no store "${unknown}". This computer has: ${known}.`)
  }
  return names.length === 0 ? stores : stores.filter(({ id }) => names.includes(id))
}

/** @returns why the store could not be changed; null when it was */
async function tryChange(trust: Trust, id: string, isTrusted: boolean): Promise<string | null> {
  try {
    await trust.change(id, isTrusted)
    return null
  } catch (error) {
    if (error instanceof TrustFailed) return error.message
    throw error
  }
}
