import { lazy, Suspense } from 'react'
import { useToolApprovals } from '../stores/mcp-servers.ts'

const ApprovalSheet = lazy(async () => ({
  default: (await import('./approval-sheet.tsx')).ApprovalSheet,
}))

const QuestionSheet = lazy(async () => ({
  default: (await import('./question-sheet.tsx')).QuestionSheet,
}))

/** The question that a turn waits for. Others follow, one after another. Its file is loaded with the first one. */
export function Approvals() {
  const approval = useToolApprovals(({ open }) => open[0])
  if (!approval) return null
  const { id, about, conversationTitle } = approval
  return (
    <Suspense>
      {about.kind === 'question' ? (
        <QuestionSheet key={id} {...{ id, conversationTitle }} question={about} />
      ) : (
        <ApprovalSheet key={id} {...{ id, about, conversationTitle }} />
      )}
    </Suspense>
  )
}
