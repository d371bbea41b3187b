import { useState, type ReactNode } from 'react'

interface DisclosureProps {
  title: string
  /** What is in it, in a few words, for whoever leaves it closed. */
  remark?: string
  isOpenAtFirst?: boolean
  /** Holds it open: an error must be seen where it belongs. */
  hasError: boolean
  children: ReactNode
}

/** What few people need to set: closed until it is looked for. */
export function Disclosure(props: DisclosureProps) {
  const { title, remark = '', isOpenAtFirst = false, hasError, children } = props
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
