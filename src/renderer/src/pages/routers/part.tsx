import type { ReactNode } from 'react'
import { Card } from '../../components/page.tsx'

interface PartProps {
  title: string
  /** One sentence about its settings. */
  intro: string
  children: ReactNode
}

/** One part of a router's form. */
export function Part({ title, intro, children }: PartProps) {
  return (
    <Card className="flex flex-col gap-6 p-5">
      <header className="flex flex-col gap-0.5">
        <h2 className="font-semibold">{title}</h2>
        <p className="max-w-prose text-sm text-muted">{intro}</p>
      </header>
      {children}
    </Card>
  )
}
