import { lazy, Suspense } from 'react'
import { useToolApprovals } from '../stores/mcp-servers.ts'

const ApprovalSheet = lazy(async () => ({
  default: (await import('./approval-sheet.tsx')).ApprovalSheet,
}))

/** The question that a turn waits for. Others follow, one after another. Its file is loaded with the first one. */
export function Approvals() {
  const approval = useToolApprovals(({ open }) => open[0])
  return (
    approval && (
      <Suspense>
        <ApprovalSheet key={approval.id} approval={approval} />
      </Suspense>
    )
  )
}
