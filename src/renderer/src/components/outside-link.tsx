import type { ReactNode } from 'react'

/**
 * A link to a web page. The main process shows the full address and asks before
 * it opens the browser. The window itself never navigates.
 */
export function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer"
      title={address}
      className="text-accent underline decoration-1 underline-offset-3"
    >
      {children}
    </a>
  )
}
