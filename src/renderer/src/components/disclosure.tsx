import { useState, type ReactNode } from 'react'

interface DisclosureProps {
  title: string
  /** A short summary of the content, shown beside the title. */
  remark?: string
  isOpenAtFirst?: boolean
  /** Keeps it open, so that the error is visible. */
  hasError?: boolean
  children: ReactNode
}

/** A section for settings that few people need. */
export function Disclosure(props: DisclosureProps) {
  const { title, remark = '', isOpenAtFirst = false, hasError = false, children } = props
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <details
      className="rounded-lg border border-line px-3 py-2"
      open={isOpen || hasError}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer text-sm font-medium">
        <span>{title}</span>
        {remark !== '' && <span className="ml-2 text-xs font-normal text-muted">{remark}</span>}
      </summary>
      <div className="mt-4 mb-1 flex flex-col gap-6">{children}</div>
    </details>
  )
}
