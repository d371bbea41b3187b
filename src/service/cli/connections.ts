import type { Command } from 'commander'
import { connections, type ConnectionState } from '../../shared/app/connections.ts'
import type { Cli } from './cli.ts'
import type { Columns } from './output.ts'

const columns: Columns<ConnectionState> = {
  '': ({ isOn }) => (isOn ? 'on' : 'off'),
  CONNECTION: ({ id }) => id,
  'LAST USED': ({ lastUsedAtMs }) =>
    lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
  WHEN: ({ id }) => connections[id].when,
  TO: ({ id }) => [connections[id].to, ...connections[id].hosts].join(' '),
}

export function registerConnections(program: Command, cli: Cli): void {
  program
    .command('connections')
    .description('list every connection that Modelport can open, and when each was last used')
    .action(() =>
      cli.inWorkspace(async (workspace) => {
        const { connectionStates } = await import('../wiring/connections.ts')
        cli.output.table(await connectionStates(workspace, cli.workspaceOptions()), columns)
      }),
    )
}
