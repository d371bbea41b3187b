import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Card } from '../../components/page.tsx'

interface PanelProps {
  title: string
  link: { to: '/activity' | '/routers' | '/connect'; label: string }
  children: ReactNode
}

/** A titled part of Home with a link to its page. */
export function Panel({ title, link, children }: PanelProps) {
  return (
    <Card className="flex min-w-0 flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="font-semibold">{title}</h2>
        <Link to={link.to} className="text-xs text-accent hover:underline">
          {link.label}
        </Link>
      </div>
      {children}
    </Card>
  )
}
