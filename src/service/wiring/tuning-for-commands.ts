/** Tuning for the command line: in its own process, beside a running service or without one. */
import type { Tuning } from '../tuning/tuning.ts'
import { withRequestPath } from './command-path.ts'
import { connectTuning } from './tuning.ts'
import type { Workspace } from './workspace.ts'

/** Closes everything when the work has ended. */
export async function withTuning(
  workspace: Workspace,
  work: (tuning: Tuning) => Promise<void>,
): Promise<void> {
  await withRequestPath(workspace, async ({ completeChat }, learning) => {
    const tuning = connectTuning(workspace, { completeChat, learning })
    try {
      await work(tuning)
    } finally {
      await tuning.close()
    }
  })
}
