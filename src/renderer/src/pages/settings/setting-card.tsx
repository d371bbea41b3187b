import type { ReactNode } from 'react'
import { Card } from '../../components/page.tsx'

/** Settings that belong together. */
export function SettingCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Card className="flex flex-col gap-3">
        <h3 className="font-semibold">{title}</h3>
        {children}
      </Card>
    </section>
  )
}
