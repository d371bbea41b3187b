import type { ReactNode } from 'react'

/**
 * A link out of the app. The main process shows the whole address and asks before the browser gets
 * it; the window itself goes nowhere.
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
