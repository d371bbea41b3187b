/** The window's diagnostics: attacks on the running service, and a text to send with a question. */
import type { SecurityCheck } from '../../shared/app/security-check.ts'
import type { Workspace, WorkspaceOptions } from '../wiring/workspace.ts'

export interface Diagnostics {
  /** Runs the security checks for about 12 seconds, the time limit of slow clients. @throws NotRunning */
  security(): Promise<SecurityCheck[]>
  /** Collects the bundle, for up to 10 seconds for each provider that does not answer. */
  bundle(): Promise<string>
}

/** The checks attack a running service, and there is none. */
export class NotRunning extends Error {
  override readonly name = 'NotRunning'

  constructor() {
    super(
      'Modelport is not running, so there is nothing to attack. Start it with "modelport serve".',
    )
  }
}

/** Loads the checks when they are needed. */
export function createDiagnostics(
  workspace: Workspace,
  options: WorkspaceOptions & { hosts?: readonly string[] | undefined },
): Diagnostics {
  const { dataDir } = options
  return {
    async security() {
      const { url, isRunning } = await workspace.endpoint.current()
      if (!isRunning || url === null) throw new NotRunning()
      const { examineSecurity } = await import('./security/examine-security.ts')
      const { allowedHosts } = workspace.configuration.current().settings
      const hosts = [...allowedHosts, ...(options.hosts ?? [])]
      const isOnNetwork = (await workspace.endpoint.certificateFile()) !== null
      return await examineSecurity({ dataDir, url, allowedHosts: hosts, isOnNetwork })
    },
    async bundle() {
      const { examine } = await import('./doctor.ts')
      const { writeBundle } = await import('./bundle/write-bundle.ts')
      const findings = await examine({ ...options, workspace, rebuildsTotals: false })
      return await writeBundle({ dataDir, workspace, findings, env: options.env })
    },
  }
}
